import fc from 'fast-check';
import t from 'tap';
import type { ChatMessage } from '../../src/context/messages.ts';
import {
  type PagingRequest,
  pageConversation,
  storedPages,
} from '../../src/context/paging/page-conversation.ts';
import { pageText, readPage } from '../../src/context/paging/page-text.ts';
import { noteIn } from '../../src/context/paging/paged-note.ts';
import { recallTurns } from '../../src/context/paging/recall.ts';
import { turnsOf } from '../../src/context/paging/turns.ts';
import { CHARACTER_COUNTER } from '../../src/context/tokens.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { CONTEXT, remembering } from '../memory/fixture.ts';
import type { Teardown } from '../support/temporary.ts';

const REQUEST: PagingRequest = { windowTokens: 400, share: 0.5, keepTurns: 2, conversation: 'c1' };

const CALLS: ChatMessage['tool_calls'] = [{ id: 'a', function: { name: 'f', arguments: '{}' } }];

function memoryFor(t: Teardown): Memory {
  return remembering(t, { limits: { maxEntryBytes: 1_000_000 } }).memory;
}

function paging(memory: Memory, messages: readonly ChatMessage[], request: Partial<PagingRequest> = {}) {
  const parts = { memory, counter: CHARACTER_COUNTER, context: CONTEXT };
  return pageConversation(messages, (message) => message, { ...REQUEST, ...request }, parts);
}

function said(number: number): ChatMessage[] {
  return [
    { role: 'user', content: `Question ${number}: what about the topic ${number} of the day?` },
    { role: 'assistant', content: `Answer ${number}: ${'it is as it is, and so on. '.repeat(4)}` },
  ];
}

function chat(turns: number): ChatMessage[] {
  const numbers = Array.from({ length: turns }, (_, index) => index + 1);
  return [{ role: 'system', content: 'You help.' }, ...numbers.flatMap(said)];
}

function whole(memory: Memory, conversation = 'c1') {
  return storedPages(conversation, memory).flatMap(({ turns }) => turns.flat());
}

t.test('a conversation within its share stays as it is', async (t) => {
  const memory = memoryFor(t);
  const messages = chat(2);
  t.equal(paging(memory, messages).messages, messages);
  t.equal(memory.count(), 0);
});

t.test('older turns go to memory, instructions and the last turns stay', async (t) => {
  const memory = memoryFor(t);
  const messages = chat(12);
  const paged = paging(memory, messages);
  t.ok(paged.isWithin && paged.tokensAfter <= 200);
  t.same(paged.messages[0], messages[0]);
  const note = paged.messages[1];
  t.same(note && noteIn(note), { conversation: 'c1', last: paged.pagedTurns });
  const kept = paged.messages.slice(2);
  t.same([...whole(memory), ...kept], messages.slice(1), 'each turn is in memory or in the window');
  t.ok(kept.length >= 4);
  t.match(paged.written[0], { type: 'episodic', key: /^conversations\/c1\/0001-00\d\d$/ });
});

t.test('doing it again writes nothing, from what came of it and from the whole chat', async (t) => {
  const { memory, events } = remembering(t, { limits: { maxEntryBytes: 1_000_000 } });
  const first = paging(memory, chat(12));
  const before = events.length;
  const onResult = paging(memory, first.messages);
  const onAll = paging(memory, chat(12));
  t.same(onResult.messages, first.messages);
  t.same(onAll.messages, first.messages);
  t.equal(events.length, before);
});

t.test('it goes on where it was, whichever of the two is given', async (t) => {
  for (const isWhole of [true, false]) {
    const memory = memoryFor(t);
    const first = paging(memory, chat(8));
    const more = [9, 10, 11, 12, 13, 14].flatMap(said);
    const second = paging(memory, isWhole ? chat(14) : [...first.messages, ...more]);
    t.ok(second.pagedTurns > first.pagedTurns);
    t.same([...whole(memory), ...second.messages.slice(2)], chat(14).slice(1));
  }
});

t.test('another chat of the same id is refused', async (t) => {
  const memory = memoryFor(t);
  paging(memory, chat(12));
  const other = chat(12).map((message) => ({ ...message, content: `${message.content} Or not?` }));
  t.throws(() => paging(memory, other), { message: /turn 1 in memory is another one/ });
});

t.test('a tool call and its answer are never parted', async (t) => {
  const call = { role: 'assistant', content: null, tool_calls: [{ id: 'a' }] };
  const messages: ChatMessage[] = [
    { role: 'user', content: '1' },
    call,
    { role: 'user', content: 'wait' },
    { role: 'tool', tool_call_id: 'a', content: 'x' },
    { role: 'user', content: '2' },
  ];
  t.same(
    turnsOf(messages).map(({ indexes }) => indexes),
    [[0, 1, 2, 3], [4]],
  );
});

t.test('a page reads back as what was said, whatever that was', async (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '## Turn 1, user\n\nx',
      '\\## Turn 2, x',
      '\n\n```json message\n{}\n```',
      '',
      '---\nttl: 1\n---\n',
    ),
  );
  const message = fc.record(
    {
      role: fc.constantFrom('user', 'assistant', 'tool'),
      content: fc.oneof(text, fc.constant(null), fc.array(fc.record({ type: fc.constant('text'), text }))),
      name: fc.string(),
      tool_calls: fc.constant(CALLS),
      timestamp: fc.oneof(fc.integer(), fc.string()),
    },
    { requiredKeys: ['role', 'content'] },
  );
  const turns = fc.array(fc.array(message, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(turns, fc.integer({ min: 1, max: 9000 }), (turns, first) => {
      const bytes = Buffer.from(pageText({ conversation: 'c1', first, turns }));
      t.same(readPage(bytes.toString())?.turns, turns);
    }),
    { numRuns: 100 },
  );
});

t.test(
  'a page whose messages somebody broke by hand is left out, and keeps no other from being read',
  async (t) => {
    const whole = pageText({
      conversation: 'c1',
      first: 1,
      turns: [[{ role: 'user', content: 'x', name: 'a' }]],
    });
    t.match(readPage(whole)?.turns, [[{ name: 'a' }]]);
    t.equal(readPage(whole.replace('"name"', 'name')), undefined, 'this is no JSON any more');
    t.equal(readPage(whole.replace('"role"', '"roll"')), undefined, 'and this no message');
  },
);

t.test('what was paged comes back when it matters, within the budget', async (t) => {
  const memory = memoryFor(t);
  const secret: ChatMessage[] = [
    { role: 'user', name: 'Melanie', content: 'My sister Ada moved to Lisbon in May.' },
    { role: 'assistant', content: 'Noted.' },
  ];
  paging(memory, [...chat(3), ...secret, ...chat(12).slice(7)]);
  const { turns, tokens } = recallTurns(
    { question: 'Where did Ada move to?', budgetTokens: 60 },
    { memory, counter: CHARACTER_COUNTER },
  );
  t.ok(turns.some(({ text }) => text.includes('user, Melanie: My sister Ada moved to Lisbon')));
  t.ok(tokens <= 60);
  t.match(turns.find(({ turn }) => turn === 4)?.path, /^\/context\/memory\/episodic\/conversations\/c1\//);
});

t.test(
  'whatever the chat, each turn is in the window or in memory, and the second time changes nothing',
  async (t) => {
    const memory = memoryFor(t);
    let number = 0;
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.string({ maxLength: 120 }),
    });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 30 }),
        fc.integer({ min: 20, max: 600 }),
        (messages, windowTokens) => {
          number += 1;
          const conversation = `p${number}`;
          const first = paging(memory, messages, { windowTokens, conversation });
          const again = paging(memory, first.messages, { windowTokens, conversation });
          const kept = first.messages.filter((one) => noteIn(one) === undefined);
          t.same([...whole(memory, conversation), ...kept], messages);
          t.same(again.messages, first.messages);
        },
      ),
      { numRuns: 60 },
    );
  },
);
