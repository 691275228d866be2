import fc from 'fast-check';
import t from 'tap';
import { applyRetention } from '../../src/history/retention.ts';
import type { HistoryFile } from '../../src/store/history-table.ts';
import type { Teardown } from '../support/temporary.ts';
import { recording, withCleanup, written } from './fixture.ts';

const DAY_MS = 86_400_000;

/** Sessions of a day each, with so many entries. */
function filled(t: Teardown, sizes: readonly number[]) {
  const subject = recording(t);
  for (const [number, entries] of sizes.entries()) {
    for (let n = 0; n < entries; n += 1) {
      const caller = { name: 'x', session: `s${number}` };
      subject.history.record({ ...written('/a', { text: 'x'.repeat(100) }), context: { caller } });
    }
    subject.clock.advance(DAY_MS);
  }
  return subject;
}

const isLive = () => false;

t.test('files that nothing was entered into for too many days go, the others stay', async (t) => {
  const { store, clock } = filled(t, [1, 1, 1, 1]);
  const options = { store, nowMs: clock.nowMs(), keepDays: 2, maxBytes: 1e9, isLive };
  t.equal(await applyRetention(options), 2);
  t.same(
    store.history.files().map(({ session }) => session),
    ['s2', 's3'],
  );
  t.equal(await applyRetention(options), 0);
});

t.test('the oldest go until the rest is small enough', async (t) => {
  const { store, clock } = filled(t, [5, 5, 5]);
  const [file] = store.history.files();
  const maxBytes = (file?.sizeBytes ?? 0) * 2;
  t.equal(await applyRetention({ store, nowMs: clock.nowMs(), keepDays: 90, maxBytes, isLive }), 1);
  t.same(
    store.history.files().map(({ session }) => session),
    ['s1', 's2'],
  );
});

t.test('of one day that goes first into which nothing was entered for longest', async (t) => {
  const { store, history, clock } = recording(t);
  for (const session of ['a', 'b', 'a']) {
    history.record({ ...written('/a'), context: { caller: { name: 'x', session } } });
    clock.advance(1000);
  }
  const maxBytes = store.history.files().reduce((sum, { sizeBytes }) => sum + sizeBytes, -1);
  t.equal(await applyRetention({ store, nowMs: clock.nowMs(), keepDays: 90, maxBytes, isLive }), 1);
  t.match(store.history.files(), [{ session: 'a', entries: 2 }]);
});

t.test('whatever the limits, live sessions keep their latest, and what stays stays whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
      fc.subarray(['s0', 's1', 's2', 's3', 's4']),
      fc.nat(8),
      fc.nat(2000),
      (sizes, live, keepDays, maxBytes) =>
        withCleanup(async (t) => {
          const { store, clock, entries } = filled(t, sizes);
          const before = store.history.files();
          const liveSessions = new Set(live);
          await applyRetention({
            store,
            nowMs: clock.nowMs(),
            keepDays,
            maxBytes,
            isLive: (session) => liveSessions.has(session),
          });
          const after = new Map(store.history.files().map((file) => [file.session, file]));
          const kept = [...after.values()];
          const untouched = before.every((file) => {
            const now = after.get(file.session);
            return now ? JSON.stringify(now) === JSON.stringify(file) : !liveSessions.has(file.session);
          });
          const isSmall = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) <= maxBytes;
          return (
            untouched &&
            entries().length === kept.reduce((sum, file) => sum + file.entries, 0) &&
            (isSmall || kept.every(({ session }) => liveSessions.has(session)))
          );
        }),
    ),
    { numRuns: 40 },
  );
});

t.test('a session that goes on for longer than history is kept gives up its first days', async (t) => {
  const { store, history, clock } = recording(t);
  for (let day = 0; day < 5; day += 1) {
    if (day > 0) clock.advance(DAY_MS);
    history.record({ ...written('/a'), context: { caller: { name: 'x', session: 'live' } } });
  }
  const dates = () => store.history.files().map(({ date }) => date);
  const [first, second, ...kept] = dates();
  const gone: string[] = [];
  const onGone = ({ date }: HistoryFile) => gone.push(date);
  const options = { store, nowMs: clock.nowMs(), maxBytes: 1e9, isLive: () => true, onGone };
  t.equal(await applyRetention({ ...options, keepDays: 2 }), 2);
  t.same(dates(), kept);
  t.same(gone, [first, second]);
  t.equal(await applyRetention({ ...options, keepDays: 0, maxBytes: 0 }), 2);
  t.same(dates(), kept.slice(-1), 'what it writes to stays');
});

t.test('a file that was written to meanwhile stays', async (t) => {
  const { store, history, clock } = filled(t, [1, 1]);
  const nowMs = clock.nowMs();
  clock.advance(-DAY_MS);
  const isLive = (session: string) => {
    if (session === 's1') history.record({ ...written('/a'), context: { caller: { name: 'x', session } } });
    return false;
  };
  t.equal(await applyRetention({ store, nowMs, keepDays: 0, maxBytes: 0, isLive }), 1);
  t.match(store.history.files(), [{ session: 's1', entries: 2 }]);
});
