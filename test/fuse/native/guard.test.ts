import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import { Guard, type Service } from '../../../src/fuse/native/guard.ts';

const THREAD = {};
const DEADLINE_MS = 20;

/** Runs one request through a guard. @returns all signals that were sent for it, when nothing more can come */
async function signalsOf(service: Partial<Service<'open', number>>, deadlineMs = DEADLINE_MS) {
  const signals: unknown[][] = [];
  const bugs: unknown[] = [];
  const guard = new Guard(deadlineMs, (error) => bugs.push(error));
  const handler = guard.handler('open', (...signal) => signals.push(signal), {
    run: () => 7,
    encode: (value) => [0, value],
    blank: () => [0],
    ...service,
  });
  handler(THREAD, 21, '/path', 0);
  const signalsAtOnce = signals.length;
  await guard.settled();
  await new Promise((resolve) => setTimeout(resolve, deadlineMs * 2));
  return { signals: signals.map(([, ...signal]) => signal), bugs, signalsAtOnce, figures: guard.figures() };
}

t.test('what is there at once is answered at once', async (t) => {
  const { signals, signalsAtOnce } = await signalsOf({});
  t.same([signals, signalsAtOnce], [[[0, 7]], 1]);
});

t.test('a refusal is answered at once too, and is no bug', async (t) => {
  const run = () => {
    throw new FsError('EACCES', '/path', 'planted');
  };
  const { signals, signalsAtOnce, bugs } = await signalsOf({ run });
  t.same([signals, signalsAtOnce, bugs], [[[-13, 0]], 1, []]);
});

t.test('a value that cannot be encoded is a bug, answered with EIO', async (t) => {
  const encode = () => {
    throw new TypeError('planted');
  };
  const { signals, bugs } = await signalsOf({ encode });
  t.same([signals, bugs.length], [[[-5, 0]], 1]);
});

t.test('a late answer is not sent, but given back', async (t) => {
  const discarded: number[] = [];
  const { signals, figures } = await signalsOf({
    run: () => new Promise((resolve) => setTimeout(resolve, DEADLINE_MS * 1.5, 8)),
    discard: (value) => discarded.push(value),
  });
  t.same([signals, discarded], [[[-110, 0]], [8]]);
  t.match(figures, { requests: 1, pending: 0, timeouts: 1 });
});

t.test('a caller that no longer waits is told by its signal', async (t) => {
  const seen: boolean[] = [];
  await signalsOf({
    run: (context) =>
      new Promise(() => {
        seen.push(context.signal?.aborted ?? true);
        context.signal?.addEventListener('abort', () => seen.push(true));
      }),
  });
  t.same(seen, [false, true]);
});

t.test('a reporter that fails does not keep a caller waiting', async (t) => {
  const signals: unknown[] = [];
  const guard = new Guard(DEADLINE_MS, () => {
    throw new Error('planted');
  });
  const handler = guard.handler('mkdir', (...signal) => signals.push(signal), {
    run() {
      throw new Error('planted');
    },
    encode: () => [0],
    blank: () => [],
  });
  handler(THREAD, 32, '/path', 0);
  t.same(signals, [[THREAD, -5]]);
});

t.test('whatever a service does, exactly one signal is sent', async (t) => {
  const value = fc.oneof(fc.integer(), fc.anything());
  const act = fc.constantFrom(
    'return',
    'throw',
    'resolve',
    'reject',
    'resolve later',
    'reject later',
    'never',
  );
  await fc.assert(
    fc.asyncProperty(act, act, value, async (first, second, value) => {
      const run = () => perform(first, value);
      const encode = (result: number): [number, number] => {
        if (second === 'throw') throw value;
        return [0, result];
      };
      const { signals } = await signalsOf({ run, encode }, 5);
      return signals.length === 1;
    }),
    { numRuns: 60 },
  );
  t.pass();
});

/** What a resolver in JavaScript may do; the compiler is told nothing of what it answers. */
function perform(act: string, value: unknown) {
  const answer = JSON.parse(JSON.stringify([value]))[0];
  switch (act) {
    case 'throw':
      throw value;
    case 'resolve':
      return Promise.resolve(answer);
    case 'reject':
      return Promise.reject(value);
    case 'resolve later':
      return delay(1, answer);
    case 'reject later':
      return delay(1).then(() => Promise.reject(value));
    case 'never':
      return new Promise(() => {});
    default:
      return answer;
  }
}
