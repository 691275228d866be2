import fc from 'fast-check';
import t from 'tap';
import type { ChatMessage } from '../../src/context/messages.ts';
import { loadTokenCounter } from '../../src/context/tokens.ts';
import { contextIn } from '../../src/context/updater/context-message.ts';
import type { ScratchpadFile } from '../../src/context/updater/scratchpad-notes.ts';
import type { StoodOn } from '../../src/context/updater/standing.ts';
import { contextUpdater } from '../../src/context/updater/update-context.ts';
import type { HistoryEvent } from '../../src/core/history-event.ts';
import type { UpdateMode } from '../../src/settings/context.ts';
import type { HistoryFilter } from '../../src/store/history-table.ts';
import { constructorOver, type FakeSource, fakeEngine } from './fixture.ts';

const KEYS = 'Idempotency keys are kept for 48 hours.';
const REFUNDS = 'Refunds take five working days.';
const QUESTION = 'How long are idempotency keys kept?';

const HISTORY: ChatMessage[] = [
  { role: 'system', content: 'You help.' },
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'x' } }] },
  { role: 'tool', tool_call_id: 'c1', content: '42' },
  { role: 'user', content: [{ type: 'text', text: QUESTION }] },
];

/** A history table of one process, and an updater over sources that can be changed. */
async function updating(
  sources: Record<string, FakeSource> = {
    '/docs/keys.md': { text: KEYS },
    '/docs/refunds.md': { text: REFUNDS },
  },
) {
  const lines: string[] = [];
  const pad: StoodOn[] = [];
  const notes: ScratchpadFile[] = [];
  let revision = 1;
  const events: HistoryEvent[] = [];
  const counter = await loadTokenCounter();
  const engine = { ...fakeEngine(sources), revision: () => `${revision}` };
  const updater = contextUpdater({
    build: (await constructorOver({ engine, counter })).build,
    engine,
    revision: engine.revision,
    counter,
    versions: { of: (path) => sources[path]?.text, scratchpad: () => pad },
    notes: () => notes,
    history: {
      select: ({ type, limit }: HistoryFilter) =>
        lines
          .filter((line) => line.includes(`"event_type":"${type}"`))
          .slice(-limit)
          .map((line, id) => ({ id, line })),
    },
    record(event) {
      events.push(event);
      lines.push(`${JSON.stringify({ event_type: event.type, data: event.data })}\n`);
    },
  });
  return {
    events,
    pad,
    notes,
    change(path: string, source: FakeSource | undefined) {
      if (source === undefined) delete sources[path];
      else sources[path] = source;
      revision += 1;
    },
    update: (
      messages: readonly ChatMessage[],
      mode: UpdateMode = 'adaptive',
      question = QUESTION,
      budgetTokens = 400,
    ) => updater.update(messages, (message) => message, { question, mode, budgetTokens }, {}),
  };
}

function textOf(messages: readonly ChatMessage[]): string {
  return messages.flatMap((message) => contextIn(message)?.text ?? []).join();
}

t.test('the context comes after the instructions, and all else stays as it is', async (t) => {
  const { update, events } = await updating();
  const { messages, action, tokens, manifest } = await update(HISTORY);
  t.equal(action, 'injected');
  t.same([messages[0], ...messages.slice(2)], HISTORY);
  t.match(textOf(messages), KEYS);
  t.ok(tokens > 0 && tokens <= 400);
  t.same(
    events.map(({ type, data }) => [type, data?.['mode'], Object.hasOwn(data ?? {}, 'manifest')]),
    [['inject', 'adaptive', true]],
  );
  t.equal(manifest?.question, QUESTION);
});

for (const mode of ['static', 'incremental', 'adaptive'] as const) {
  t.test(`updating again changes nothing (${mode})`, async (t) => {
    const { update, events } = await updating();
    const first = await update(HISTORY, mode);
    const second = await update(first.messages, mode);
    t.equal(second.action, 'unchanged');
    t.same(second.messages, first.messages);
    t.equal(events.length, 1);
  });
}

t.test('a static context stays whatever changes and whatever is asked', async (t) => {
  const { update, change } = await updating();
  const first = await update(HISTORY, 'static');
  change('/docs/keys.md', { text: 'Idempotency keys are kept for 24 hours.' });
  const second = await update(first.messages, 'static', 'How long do refunds take?');
  t.same(second.messages, first.messages);
});

t.test('an adaptive context follows what it stands on, and says what changed', async (t) => {
  const { update, change } = await updating();
  const first = await update(HISTORY);
  change('/docs/keys.md', { text: 'Idempotency keys are kept for 24 hours.' });
  const second = await update(first.messages);
  t.equal(second.action, 'replaced');
  t.same(second.changes, [{ path: '/docs/keys.md', change: 'changed' }]);
  t.match(textOf(second.messages), '24 hours');
  t.notMatch(textOf(second.messages), '48 hours');
  change('/docs/keys.md', undefined);
  const third = await update(second.messages);
  t.same([third.action, third.changes], ['removed', [{ path: '/docs/keys.md', change: 'removed' }]]);
  t.same(third.messages, HISTORY);
});

t.test('a change of something else leaves an adaptive context alone', async (t) => {
  const { update, change } = await updating();
  const first = await update(HISTORY);
  change('/docs/refunds.md', { text: 'Refunds take a week.' });
  const second = await update(first.messages);
  t.same([second.action, second.changes], ['unchanged', []]);
  t.same(second.messages, first.messages);
});

t.test('a change of the scratchpad is told', async (t) => {
  const { update, pad } = await updating();
  const first = await update(HISTORY);
  pad.push({ path: '/context/scratchpad/plan.md', version: '1' });
  const second = await update(first.messages);
  t.same(second.changes, [{ path: '/context/scratchpad/plan.md', change: 'added' }]);
  t.same((await update(second.messages)).changes, []);
});

t.test('what the scratchpad says of the question is in the context, until it says so no more', async (t) => {
  const { update, pad, notes } = await updating();
  const first = await update(HISTORY);
  const path = '/context/scratchpad/plan.md';
  pad.push({ path, version: '1' });
  notes.push({ path, text: '# Plan\n\nAsk Ines how long keys are kept.\n\nBuy milk.\n', modifiedMs: 0 });
  const second = await update(first.messages);
  t.equal(second.action, 'replaced');
  t.match(textOf(second.messages), /plan\.md:1-3[\s\S]*Ask Ines/);
  t.notMatch(textOf(second.messages), 'milk');
  t.match(textOf(second.messages), KEYS);
  t.ok(second.tokens <= 400);
  t.same((await update(second.messages)).messages, second.messages);
  pad.pop();
  notes.pop();
  t.same((await update(second.messages)).messages, first.messages);
});

t.test('an incremental context adds what is asked and keeps what still holds', async (t) => {
  const { update, change } = await updating();
  const first = await update(HISTORY, 'incremental');
  const second = await update(first.messages, 'incremental', 'How long do refunds take?');
  t.match(textOf(second.messages), KEYS);
  t.match(textOf(second.messages), REFUNDS);
  t.ok(second.tokens <= 400);
  change('/docs/keys.md', { text: 'Idempotency keys are kept for 24 hours.' });
  const third = await update(second.messages, 'incremental', 'How long do refunds take?');
  t.notMatch(textOf(third.messages), '48 hours');
  t.match(textOf(third.messages), REFUNDS);
});

t.test('what looks like the context within a message of somebody else is left alone', async (t) => {
  const { update } = await updating();
  const { messages } = await update(HISTORY);
  const [, context] = messages;
  const quoting: ChatMessage[] = [
    { role: 'user', content: String(context?.content) },
    { role: 'system', content: `see: ${String(context?.content)}` },
  ];
  const updated = await update(quoting);
  t.equal(updated.action, 'injected');
  t.same(updated.messages.slice(1), quoting);
});

t.test('of several contexts one stays', async (t) => {
  const { update } = await updating();
  const { messages } = await update(HISTORY);
  const twice = [...messages, ...messages.slice(1, 2)];
  t.same((await update(twice)).messages, messages);
});

t.test(
  'whatever is asked, with whatever budget: never over it, other messages as they were, the second time the same',
  async (t) => {
    const words = ['idempotency', 'keys', 'refunds', 'long', 'days', 'kept'];
    const role = fc.constantFrom('user', 'assistant', 'system', 'tool', 'developer');
    const message = fc.record({ role, content: fc.oneof(fc.string(), fc.constant(null)), name: fc.string() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 6 }),
        fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom<UpdateMode>('static', 'incremental', 'adaptive'),
        async (given, asked, budget, mode) => {
          const { update } = await updating();
          const first = await update(given, mode, asked.join(' '), budget);
          const second = await update(first.messages, mode, asked.join(' '), budget);
          const others = first.messages.filter((one) => contextIn(one) === undefined);
          t.ok(first.tokens <= budget);
          return (
            JSON.stringify(others) === JSON.stringify(given) &&
            JSON.stringify(second.messages) === JSON.stringify(first.messages)
          );
        },
      ),
      { numRuns: 60 },
    );
  },
);
