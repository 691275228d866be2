import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { takeStepsWhenIdle } from '../../src/system/idle-steps.ts';

t.test('steps are taken one after the other while nothing else is done', async (t) => {
  const taken: string[] = [];
  const steps = [() => taken.push('a'), () => pause(5).then(() => taken.push('b')), () => taken.push('c')];
  takeStepsWhenIdle(each(steps), { pauseMs: 5 });
  while (taken.length < 3) await pause(5);
  t.same(taken, ['a', 'b', 'c']);
});

t.test('after a step during which others wanted the core, the pause is a longer one', async (t) => {
  const taken = async (crowdedMs: number, timesPushedAside: () => number): Promise<number> => {
    const sinceMs = performance.now();
    let tookMs: number | undefined;
    const last = () => {
      tookMs = performance.now() - sinceMs;
    };
    takeStepsWhenIdle(each([() => {}, () => {}, () => {}, last]), {
      pauseMs: 1,
      crowdedMs,
      timesPushedAside,
    });
    while (tookMs === undefined) await pause(5);
    return tookMs;
  };
  let times = 0;
  const tookMs = await taken(50, () => {
    times += 1;
    return times;
  });
  t.ok(tookMs >= 149, `${tookMs}`);
  await taken(1_000_000, () => 7);
});

t.test('a thread that is busy is left alone', async (t) => {
  let isTaken = false;
  const end = takeStepsWhenIdle(
    each([
      () => {
        isTaken = true;
      },
    ]),
    { pauseMs: 5 },
  );
  t.teardown(end);
  const untilMs = performance.now() + 200;
  while (performance.now() < untilMs) {
    const restMs = performance.now() + 8;
    while (performance.now() < restMs);
    await immediate();
  }
  t.equal(isTaken, false);
  while (!isTaken) await pause(5);
  t.equal(isTaken, true, 'and goes on once it is not');
});

t.test(
  'ended, and after a step that failed, nothing more is taken, and what the steps stood on is let go of',
  async (t) => {
    const taken: string[] = [];
    const left: string[] = [];
    const steps = (name: string, fails: boolean) =>
      each(
        [
          () => {
            if (fails) throw new Error('as meant');
            taken.push(name);
          },
          () => taken.push(name),
        ],
        () => left.push(name),
      );
    const begun = steps('ended', false);
    begun.next();
    takeStepsWhenIdle(begun, { pauseMs: 5 })();
    takeStepsWhenIdle(steps('failed', true), { pauseMs: 5 });
    while (left.length < 2) await pause(5);
    await pause(60);
    t.strictSame(taken, ['ended']);
    t.strictSame(left, ['ended', 'failed']);
  },
);

/** @param leave called when the last one is taken, or none of them is to be any more */
function* each(steps: readonly (() => unknown)[], leave?: () => void): Generator<unknown> {
  try {
    for (const step of steps) yield step();
  } finally {
    leave?.();
  }
}
