import t from 'tap';
import { inSlices } from '../../src/core/slices.ts';

/** Work of so many steps, counted; a step fails where the number of steps left is one of those. */
function steps(left: number, failing: readonly number[] = []) {
  const done: number[] = [];
  const work = inSlices(() => {
    if (failing.includes(left)) {
      left -= 1;
      throw new Error(`step ${left + 1} fails`);
    }
    done.push(left);
    left = Math.max(0, left - 1);
    return left === 0;
  });
  return { done, work };
}

t.test('what is soon done is done at once', (t) => {
  const { done, work } = steps(1);
  t.equal(work(), undefined);
  t.same(done, [1]);
  t.equal(work(), undefined);
  t.end();
});

t.test('others are served between two steps, and all who ask wait for the same', async (t) => {
  const { done, work } = steps(4);
  const first = work();
  t.same(done, [4]);
  t.equal(work(), first);
  const seen = new Set<number>();
  const look = () => {
    seen.add(done.length);
    if (done.length < 4) setImmediate(look);
  };
  setImmediate(look);
  await first;
  t.same(done, [4, 3, 2, 1]);
  t.ok(seen.has(2) && seen.has(3), 'one turn of the event loop a step');
  t.equal(work(), undefined, 'it is done');
});

t.test(
  'a step that fails is told to all who wait, and the rest is done when somebody asks again',
  async (t) => {
    const { done, work } = steps(4, [2]);
    const [one, other] = [work(), work()];
    await t.rejects(Promise.resolve(one), /step 2 fails/);
    await t.rejects(Promise.resolve(other), /step 2 fails/);
    t.equal(work(), undefined);
    t.same(done, [4, 3, 1]);
    t.throws(steps(1, [1]).work, /step 1 fails/);
  },
);
