import t from 'tap';
import { plainText } from '../../src/retrieval/plain-text.ts';

t.test('markup of a line is left out', async (t) => {
  t.equal(plainText('- see [the *guide*](guide.md "Guide") and `code`'), 'see the guide and code');
});

t.test('a line of markup without end takes no longer than any other', async (t) => {
  for (const part of ['[', '[a](', '_a', '<a ', '|  ']) {
    const line = part.repeat(300_000);
    t.ok(plainText(line).length > 0, part);
  }
});
