import fc from 'fast-check';
import t from 'tap';
import { readMessages, writeMessages } from '../../src/context/message-array.ts';

function refused(text: string): string {
  try {
    readMessages(text, 'chat.json');
    return 'nothing was thrown';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

t.test('messages are written as they were, with their white space and numbers', async (t) => {
  const first =
    '{ "role" : "user",\n  "content": "[a, {b}], \\"c\\"", "n": 1.0, "big": 12345678901234567890 }';
  const second = '{"role":"assistant","content":[{"type":"text","text":"x"}]}';
  const messages = readMessages(`\uFEFF [ ${first} ,${second}\n]`, 'chat.json');
  t.equal(writeMessages(messages), `[\n${first},\n${second}\n]\n`);
  t.equal(writeMessages(readMessages('[]', 'chat.json')), '[]\n');
});

t.test('what is wrong is told with file, line and column', async (t) => {
  t.match(
    refused('[\n {"role":"user"},\n {"role":}\n]'),
    /^chat\.json:3:10: this is not JSON: Unexpected token '}'$/,
  );
  t.match(refused('[\n {"role":"user"'), /^chat\.json:2:\d+: this is not JSON/);
  t.match(
    refused('[\n {"role":"user"},\n {"content":"x"}]'),
    /^chat\.json:3:2: message 2, role: a message has a role/,
  );
  t.match(refused('[{"role":"user","content":5}]'), /^chat\.json:1:2: message 1, content: content is a text/);
  t.match(refused('{"role":"user"}'), /^chat\.json:1:1: a chat history is an array/);
  t.match(refused(''), /^chat\.json:1:1: this is not JSON/);
});

t.test('any messages are read as JSON reads them', async (t) => {
  const message = fc.record(
    { role: fc.string({ minLength: 1 }), content: fc.string({ unit: 'binary' }), more: fc.jsonValue() },
    { requiredKeys: ['role'] },
  );
  fc.assert(
    fc.property(fc.array(message), fc.constantFrom(undefined, 1, '\t'), (given, space) => {
      const messages = readMessages(JSON.stringify(given, null, space), 'chat.json');
      t.same(JSON.parse(writeMessages(messages)), JSON.parse(JSON.stringify(given)));
    }),
  );
});
