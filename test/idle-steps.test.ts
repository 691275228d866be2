import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { takeStepsWhenIdle } from '../src/idle-steps.ts';

t.test('steps are taken one after the other while nothing else is done', async (t) => {
  const taken: string[] = [];
  takeStepsWhenIdle(
    [() => taken.push('a'), () => pause(5).then(() => taken.push('b')), () => taken.push('c')],
    5,
  );
  while (taken.length < 3) await pause(5);
  t.same(taken, ['a', 'b', 'c']);
});

t.test('a thread that is busy is left alone', async (t) => {
  let isTaken = false;
  const end = takeStepsWhenIdle(
    [
      () => {
        isTaken = true;
      },
    ],
    5,
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

t.test('ended, and after a step that failed, nothing more is taken', async (t) => {
  let steps = 0;
  const end = takeStepsWhenIdle(
    [
      () => {
        steps += 1;
      },
      () => {
        steps += 1;
      },
    ],
    5,
  );
  end();
  takeStepsWhenIdle(
    [
      () => {
        throw new Error('as meant');
      },
      () => {
        steps += 1;
      },
    ],
    5,
  );
  await pause(60);
  t.equal(steps, 0);
});
