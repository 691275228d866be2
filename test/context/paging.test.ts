import fc from 'fast-check';
import t from 'tap';
import type { ChatMessage } from '../../src/context/messages.ts';
import { storedPages } from '../../src/context/paging/conversation-pages.ts';
import { type PagingRequest, pageConversation } from '../../src/context/paging/page-conversation.ts';
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
  const request = { windowTokens: 2000 };
  const [onAll, onResult] = [true, false].map((isWhole) => {
    const memory = memoryFor(t);
    const first = paging(memory, chat(36), request);
    const all = chat(42);
    const second = paging(
      memory,
      isWhole ? all : [...first.messages, ...all.slice(chat(36).length)],
      request,
    );
    t.ok(second.pagedTurns > first.pagedTurns);
    t.same([...whole(memory), ...second.messages.slice(2)], all.slice(1));
    return second;
  });
  t.same(onAll?.messages, onResult?.messages, 'no more is moved than has to');
});

t.test('as many of the last turns stay as always do, though they are too long by themselves', async (t) => {
  const memory = memoryFor(t);
  const paged = paging(memory, chat(5), { windowTokens: 20 });
  t.match(paged, { pagedTurns: 3, isWithin: false });
  t.same(paged.messages.slice(2), [4, 5].flatMap(said));
  t.match(paging(memory, paged.messages, { windowTokens: 20 }), { pagedTurns: 3, isWithin: false });
  const few = paging(memory, chat(4), { windowTokens: 20, keepTurns: 6, conversation: 'c2' });
  t.match(few, { pagedTurns: 0, isWithin: false }, 'all of them, where there are fewer');
});

t.test('a chat may fill its share to the last token', async (t) => {
  const memory = memoryFor(t);
  const { tokensBefore } = paging(memory, chat(5), { windowTokens: 10_000 });
  t.equal(paging(memory, chat(5), { windowTokens: tokensBefore, share: 1 }).pagedTurns, 0);
  t.ok(paging(memory, chat(5), { windowTokens: tokensBefore - 1, share: 1 }).pagedTurns > 0);
});

t.test('a chat is the conversation that it was paged as, or one by how it began', async (t) => {
  const memory = memoryFor(t);
  const byItself = { conversation: undefined };
  const first = paging(memory, chat(8));
  t.match(paging(memory, first.messages, byItself), { conversation: 'c1', pagedTurns: first.pagedTurns });
  const [begun, longer, other] = [chat(8), chat(9), [...chat(0), ...said(2)]].map(
    (messages) => paging(memory, messages, byItself).conversation,
  );
  t.match(begun, /^chat-/);
  t.equal(longer, begun);
  t.not(other, begun, 'another question under the same instructions');
  const renamed = paging(memory, [...first.messages, ...chat(12).slice(1)], { conversation: 'c2' });
  t.match(renamed.written, [{ key: /^conversations\/c2\/0001-/ }], 'its turns are counted from the first');
});

t.test('an entry has a few turns that follow one another, and is told of by those that it has', async (t) => {
  const memory = memoryFor(t);
  const [begin, , middle] = [...paging(memory, chat(6)).written, ...paging(memory, chat(30)).written];
  for (const lost of [begin, middle]) if (lost !== undefined) memory.remove(lost, CONTEXT);
  paging(memory, chat(30));
  t.same(
    storedPages('c1', memory).map(({ first, turns }) => [first, turns.length]),
    [
      [1, 4],
      [5, 8],
      [13, 8],
      [21, 8],
    ],
    'what somebody removed is written again',
  );
  t.same(whole(memory), chat(28).slice(1));
  const long = Array.from({ length: 6 }, () => ({ role: 'user', content: 'as it is. '.repeat(360) }));
  paging(memory, long, { conversation: 'long' });
  t.same(
    storedPages('long', memory).map(({ turns }) => turns.length),
    [2, 2],
    'long turns are fewer',
  );
});

t.test('a chat that somebody cut is told of nothing that it has not said yet', async (t) => {
  const memory = memoryFor(t);
  paging(memory, chat(60), { windowTokens: 4000 });
  const cut = paging(memory, chat(42), { windowTokens: 4000 });
  const told = [...`${cut.messages[1]?.content}`.matchAll(/^- (\d+) to/gm)].map(([, first]) => Number(first));
  t.ok(told.length > 0 && told.every((first) => first <= cut.pagedTurns));
});

t.test('another chat of the same id is refused', async (t) => {
  const memory = memoryFor(t);
  paging(memory, chat(12));
  const other = chat(12).map((message) => ({ ...message, content: `${message.content} Or not?` }));
  t.throws(() => paging(memory, other), { message: /turn 1 in memory is not the same/ });
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
    t.equal(readPage(whole.replace('## Turn 1', '## Turn 3')), undefined, 'two turns are missing before it');
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
  'all turns of a conversation that a question is about come back in order, as far as they fit',
  async (t) => {
    const memory = memoryFor(t);
    const chats = {
      c1: ['Lisbon it is.', 'Lisbon. '.repeat(60), 'Lisbon, as I said, Lisbon.'],
      c10: ['Oslo, Lisbon.'],
    };
    for (const [conversation, texts] of Object.entries(chats)) {
      const messages = texts.flatMap((content) => [{ role: 'user', content }, ...chat(3).slice(1)]);
      paging(memory, messages, { windowTokens: 20, conversation });
    }
    const recall = (question: string, budgetTokens: number) =>
      recallTurns({ question, budgetTokens, conversation: 'c1' }, { memory, counter: CHARACTER_COUNTER });
    const { turns, stored } = recall('Lisbon', 1000);
    t.same([stored, recall('Zanzibar', 1000).turns], [10, []]);
    const numbers = turns.map(({ turn }) => turn);
    t.same(numbers, [1, 2, 4, 5, 6, 8, 9, 10], 'with what was said just before and after');
    const [best] = turns.toSorted((a, b) => b.score - a.score);
    t.equal(best?.turn, 5);
    const budgetTokens = turns.reduce(
      (sum, { turn, tokens }) => sum + ([1, 9].includes(turn) ? tokens : 0),
      0,
    );
    const fitting = recall('Lisbon', budgetTokens);
    t.same(
      fitting.turns.map(({ turn }) => turn),
      [1, 9],
      'what is too long makes room',
    );
    t.equal(fitting.tokens, budgetTokens);
    const anywhere = { question: 'Oslo', budgetTokens: 1000 };
    t.match(recallTurns(anywhere, { memory, counter: CHARACTER_COUNTER }).turns, [
      { conversation: 'c10', turn: 1 },
      { conversation: 'c10', turn: 2 },
    ]);
  },
);

t.test('what a person says is no note, though it looks like one', async (t) => {
  const [note] = paging(memoryFor(t), chat(12)).messages.slice(1);
  t.type(note && noteIn(note), 'object');
  t.equal(note && noteIn({ ...note, role: 'user' }), undefined);
});

t.test('of many moved turns the latest are told, and that there are more', async (t) => {
  const { messages, pagedTurns } = paging(memoryFor(t), chat(60), { windowTokens: 3000 });
  const [, first, ...ranges] = `${messages[1]?.content}`.split('\n').slice(1, -1);
  t.equal(first, '- …');
  t.match(ranges.at(-1), `to ${pagedTurns}: `);
});

t.test('an entry says when a message was said, and what was called', async (t) => {
  const messages = [
    { role: 'user', content: 'Now?', created_at: 1_780_000_000 },
    { role: 'assistant', content: null, timestamp: 1_780_000_000_000, tool_calls: CALLS },
  ];
  const text = pageText({ conversation: 'c1', first: 1, turns: [messages] });
  t.match(text, /^## Turn 1, user, 2026-05-28T20:26:40/m);
  t.match(text, /^## Turn 1, assistant, 2026-05-28T20:26:40.*\n\ncalls f \{\}$/m);
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
