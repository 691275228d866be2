import { setImmediate, setTimeout } from 'node:timers/promises';
import t from 'tap';
import { MemoryFollower } from '../../src/app/memory-follower.ts';

const BUSY_MS = 600;
/** One in 100 ms, and one more at each end. */
const MOST_STEPS = BUSY_MS / 100 + 2;

t.test('a step waits for other work of the thread, and all is taken in', async (t) => {
  let left = 1000;
  const follower = new MemoryFollower({
    catchUp() {
      left -= 1;
      return left === 0;
    },
  });
  t.teardown(() => follower.close());
  follower.followSoon();
  const end = performance.now() + BUSY_MS;
  // As work that is done in slices keeps a thread busy.
  while (performance.now() < end) await setImmediate(busyFor(4));
  const taken = 1000 - left;
  t.ok(taken > 0, 'it is not starved');
  t.ok(taken <= MOST_STEPS, `${taken} steps in ${BUSY_MS} ms`);
  left = 3;
  while (left > 0) await setTimeout(5);
  await setTimeout(50);
  t.equal(left, 0, 'and no step is taken after the last');
});

t.test('what cannot be taken in is left to who searches, and tried again after a rest', async (t) => {
  let asked = 0;
  const follower = new MemoryFollower({
    catchUp() {
      asked += 1;
      throw new Error('a broken disk');
    },
  });
  t.teardown(() => follower.close());
  follower.followSoon();
  while (asked === 0) await setTimeout(5);
  follower.followSoon();
  await setTimeout(100);
  t.equal(asked, 1);
  const { now } = performance;
  t.teardown(() => Object.assign(performance, { now }));
  performance.now = () => now.call(performance) + 30_000;
  follower.followSoon();
  while (asked === 1) await setTimeout(5);
  t.equal(asked, 2);
});

function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
