import { join } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import { openContextStore } from '../../src/store/context-store.ts';
import type { Teardown } from '../support/temporary.ts';
import { memoryPlace } from './memory-place.ts';

const REPLAY = ['context', 'history', '--replay'];
const START_MS = Date.UTC(2026, 0, 5, 10);
const CHAT = 'chat-20260105T100000-7f3a';

interface Entry {
  readonly type: string;
  readonly afterMs?: number;
  readonly actor?: string;
  readonly session?: string;
  readonly path?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A project whose history holds these entries, in this order. */
function past(t: Teardown, ...entries: readonly Entry[]) {
  const place = memoryPlace(t);
  const store = openContextStore(join(place.folder, '.kgraphfs/context.sqlite'));
  store.transact(() => {
    for (const { type, afterMs = 0, actor = 'ana', session = 's1', path, data } of entries) {
      const timeMs = START_MS + afterMs;
      const timestamp = new Date(timeMs).toISOString();
      const line = JSON.stringify({ timestamp, event_type: type, actor, path, data, session_id: session });
      store.history.append({ timeMs, type, actor, session, path, line: `${line}\n` }, timeMs);
    }
  });
  store.close();
  return place;
}

const turn = { conversation: CHAT, turn: 1, pid: 7 };

const CONVERSATION: readonly Entry[] = [
  { type: 'question', data: { ...turn, question: 'How long\nare keys kept?', model: 'm' } },
  {
    type: 'inject',
    afterMs: 10,
    data: {
      pid: 7,
      mode: 'adaptive',
      manifest: {
        budget_tokens: 900,
        tokens: 420,
        selected: [{ path: '/docs/keys.md', line: 3, end_line: 5 }],
      },
    },
  },
  { type: 'read', afterMs: 120, actor: 'm', path: '/docs/keys.md', data: { pid: 7 } },
  {
    type: 'tool',
    afterMs: 150,
    actor: 'm',
    data: { ...turn, step: 1, tool: 'read', args: { path: 'keys.md' }, result: '12 lines', duration_ms: 50 },
  },
  { type: 'create', afterMs: 190, path: '/context/memory/fact/keys', data: { pid: 7, version: 1 } },
  {
    type: 'answer',
    afterMs: 200,
    actor: 'm',
    data: {
      ...turn,
      end: 'answered',
      answer: 'For 48 hours:\n\n    keys\u001b[2J stay [keys.md:3]',
      sources: ['keys.md:3'],
      usage: { input_tokens: 100, output_tokens: 10, cost_usd: null },
      learned: [{ outcome: 'fact', entry: 'fact/keys' }],
      duration_ms: 200,
    },
  },
];

const OTHERS: readonly Entry[] = [
  { type: 'read', afterMs: 160, actor: 'rg', path: '/docs/other.md', data: { pid: 9 } },
  { type: 'mount', afterMs: -1000, session: 's0' },
];

t.test('a conversation during which the clock was put back is told to its end', async (t) => {
  const [question, answer] = [CONVERSATION[0], CONVERSATION.at(-1)];
  if (question === undefined || answer === undefined) throw new Error('there is no conversation');
  const { json } = past(t, question, { ...answer, afterMs: -3_600_000 }, ...OTHERS);
  t.match(await json(...REPLAY, CHAT), { questions: 1, answers: 1, events: { length: 2 } });
});

t.test('a session is told in the order in which things began, as a transcript', async (t) => {
  const { run } = past(t, ...CONVERSATION, ...OTHERS);
  const { status, out, err } = await run([...REPLAY, 's1']);
  t.same({ status, err }, { status: 0, err: '' });
  t.equal(
    out,
    `s1: 1 question, 1 tool call, 1 answer, 1 memory write, 2 reads

2026-01-05
10:00:00  ana asks m  (${CHAT}, 1)
          How long
          are keys kept?
10:00:00  context: 420 of 900 tokens
            /docs/keys.md:3-5
10:00:00  m calls read {"path":"keys.md"}
          → 12 lines (50 ms)
10:00:00  read /docs/keys.md by m
10:00:00  read /docs/other.md by rg
10:00:00  create /context/memory/fact/keys by ana version 1
10:00:00  m answers
          For 48 hours:

              keys\\x1b[2J stay [keys.md:3]
          sources:
            keys.md:3
          learnt: fact fact/keys
          100 tokens in, 10 out, 0.20 s
`,
  );
});

t.test('a program gets each with its fields, and what was counted', async (t) => {
  const { json } = past(t, ...CONVERSATION, ...OTHERS);
  const replayed = z
    .looseObject({ events: z.array(z.looseObject({ event_type: z.string() })) })
    .parse(await json(...REPLAY, 's1'));
  t.match(replayed, {
    replay: 's1',
    questions: 1,
    tool_calls: 1,
    memory_writes: 1,
    call: { command: 'context history', args: { replay: 's1' } },
    duration_ms: Number,
  });
  t.same(
    replayed.events.map(({ event_type }) => event_type),
    ['question', 'inject', 'tool', 'read', 'read', 'create', 'answer'],
  );
  t.match(replayed.events, [
    { question: 'How long\nare keys kept?', actor: 'ana', session_id: 's1' },
    { tokens: 420, selected: ['/docs/keys.md:3-5'] },
    { tool: 'read', args: { path: 'keys.md' }, result_summary: '12 lines', actor: 'm' },
    { path: '/docs/keys.md' },
    { path: '/docs/other.md' },
    { path: '/context/memory/fact/keys' },
    { answer: /48 hours/, sources: ['keys.md:3'], usage: { input_tokens: 100 } },
  ]);
});

t.test('one conversation is told with what its process did meanwhile, and nothing else', async (t) => {
  const { run, json } = past(t, ...CONVERSATION, ...OTHERS);
  const { out } = await run([...REPLAY, CHAT]);
  t.match(out, /keys\.md:3-5\n(?:.*\n)*.*fact\/keys/);
  t.notMatch(out, /other\.md/);
  t.match(await json(...REPLAY, CHAT, '--type', 'tool'), { events: [{ tool: 'read' }], questions: 0 });
  t.match(await json(...REPLAY, CHAT, '--limit', '1'), { events: [{ event_type: 'answer' }], reads: 0 });
});

t.test('a question without an answer, and one that was refused, say why', async (t) => {
  const { run } = past(
    t,
    { type: 'question', data: { ...turn, question: 'Why?', model: 'm' } },
    {
      type: 'answer',
      afterMs: 5,
      actor: 'm',
      data: { ...turn, end: 'failed', answer: '', error: 'the API refuses the key' },
    },
  );
  t.match(
    (await run([...REPLAY, 's1'])).out,
    /1 question, 0 tool calls, 0 answers,(?:.*\n)*.*m ends \(failed\)\n {10}the API refuses the key\n/,
  );
});

t.test(
  'a session of before there were conversations, and entries of another form, are told, too',
  async (t) => {
    const { run, json } = past(
      t,
      { type: 'mount', data: { pid: 3, driver: 'linux' } },
      { type: 'read', data: { pid: 4, count: 3, paths: ['/docs/a', '/docs/b'], until: 'x' } },
      { type: 'search', path: '/docs', data: { query: 'keys', hits: 2 } },
      { type: 'tool', data: { what: 'of another version' } },
      { type: 'inject', data: { id: 1 } },
    );
    const { status, out } = await run([...REPLAY, 's1']);
    t.equal(status, 0);
    t.match(
      out,
      /mount +by ana\n.*read +\/docs\/a \/docs\/b … \(3 in all\).*\n.*search +\/docs +by ana +"keys"\n/,
    );
    t.match(out, /tool +by ana\n.*inject +by ana\n$/);
    t.match(await json(...REPLAY, 's1'), { events: [{}, {}, {}, { what: 'of another version' }, {}] });
  },
);

t.test('an unknown session is refused with those that may be meant', async (t) => {
  const { run } = past(t, ...CONVERSATION, ...OTHERS, { type: 'mount', session: '20260105T100000-aaaa' });
  t.match(await run([...REPLAY, '20260105T100000-aaab']), {
    status: 1,
    out: '',
    err: /there is no session and no conversation "20260105T100000-aaab"; did you mean 20260105T100000-aaaa/,
  });
  t.match((await run([...REPLAY, 'chat-20260105T100000-7f3b'])).err, new RegExp(`did you mean ${CHAT}`));
  t.match(await run([...REPLAY, 'zzzzzzzz']), {
    status: 1,
    err: /the latest are .*chat-20260105T100000-7f3a; "kgraphfs session list" shows/,
  });
  t.match(await run([...REPLAY, 's1', '--follow']), {
    status: 2,
    err: /--replay prints one past session whole/,
  });
});
