import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Looks } from '../../src/system/looks.ts';
import { readyToCommit } from '../support/other-process.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { within } from '../support/within.ts';

/** Against what hangs. */
const LIMIT_MS = 60_000;
/** After the fourth look, where nothing is told. */
const BY_ITSELF_MS = 4000;
/** A look may be noted so late, on a machine that is busy with others, and the next one is reckoned from when it was due. */
const LATE_MS = 100;

interface Subject {
  readonly file: string;
  readonly looks: Looks;
  /** When it was looked, in ms of this process; noted at the very beginning, since the next look is reckoned from there. */
  readonly times: number[];
  /** Waits until it was looked so many times. */
  looked(count: number): Promise<void>;
}

function subject(
  t: Test,
  look: (file: string, count: number) => number | undefined = () => undefined,
  file = join(temporaryFolder(t), 'index.sqlite'),
): Subject {
  const times: number[] = [];
  let noted = (): void => {};
  const looks = new Looks({
    files: () => {
      times.push(performance.now());
      return [file, `${file}-wal`];
    },
    look: () => {
      noted();
      return look(file, times.length);
    },
  });
  t.teardown(() => looks.close());
  return {
    file,
    looks,
    times,
    looked: (count) =>
      within(
        LIMIT_MS,
        new Promise((resolve) => {
          noted = () => {
            if (times.length >= count) resolve();
          };
          noted();
        }),
      ),
  };
}

/** How long after each look the next one came. */
function gapsOf(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

function areAtLeast(t: Test, gaps: readonly number[], leastMs: readonly number[]): void {
  const least = leastMs.map((ms) => ms - LATE_MS);
  t.ok(
    least.every((ms, index) => (gaps[index] ?? 0) >= ms),
    `${gaps.map(Math.round)} are at least ${least}`,
  );
}

t.test('the longer nothing is told, the more rarely it is looked', async (t) => {
  const { times, looked } = subject(t);
  await looked(4);
  areAtLeast(t, gapsOf(times), [500, 1000, 2000]);
});

t.test('what another process commits is looked for soon, however long nothing was told before', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  const commit = await readyToCommit(t, file, 'by another process');
  const { times, looked } = subject(t, undefined, file);
  await looked(4);
  const before = times.length;
  commit();
  await looked(before + 1);
  const gapMs = gapsOf(times).at(-1) ?? 0;
  t.ok(gapMs < BY_ITSELF_MS, `${gapMs} ms`);
});

t.test('it is looked twice a second at most, and once more when all was written', async (t) => {
  const { file, times, looked } = subject(t);
  await looked(1);
  const endMs = performance.now() + 1500;
  while (performance.now() < endMs) {
    appendFileSync(file, 'x');
    await delay(5);
  }
  const lastMs = performance.now();
  const before = times.length;
  await looked(before + 1);
  areAtLeast(
    t,
    gapsOf(times),
    gapsOf(times).map(() => 500),
  );
  t.ok((times.at(-1) ?? 0) > lastMs);
});

t.test('a look says when it is to be looked again', async (t) => {
  const { times, looked } = subject(t, (_, count) => (count === 4 ? 700 : undefined));
  await looked(5);
  const [, , , fourth = 0] = gapsOf(times);
  t.ok(fourth >= 700 - LATE_MS && fourth < BY_ITSELF_MS, `${fourth} ms`);
});

t.test('who says that there may be something to see has it be looked', async (t) => {
  const { looks, times, looked } = subject(t);
  await looked(4);
  const before = times.length;
  looks.soon();
  await looked(before + 1);
  const gapMs = gapsOf(times).at(-1) ?? 0;
  t.ok(gapMs < BY_ITSELF_MS, `${gapMs} ms`);
});

t.test('a look that writes what it has newly seen comes to rest', async (t) => {
  const { times, looked } = subject(t, (file, count) => {
    if (count === 1) appendFileSync(file, 'x');
    return undefined;
  });
  await looked(5);
  areAtLeast(t, gapsOf(times), [500, 500, 1000, 2000]);
});

t.test('where nothing can be watched it is looked twice a second, for ever', async (t) => {
  const { times, looked } = subject(t, undefined, join(temporaryFolder(t), 'missing/index.sqlite'));
  await looked(6);
  const wholeMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  // Ever more rarely would be 15.5 s.
  t.ok(wholeMs < 8000, `${wholeMs} ms`);
});

t.test('a look that fails is not the last one', async (t) => {
  const failures: unknown[] = [];
  const noted = (error: unknown): void => {
    failures.push(error);
  };
  process.once('uncaughtException', noted);
  const { looked } = subject(t, (_, count) => {
    if (count === 1) throw new Error('the disk is gone');
    return undefined;
  });
  await looked(2);
  t.match(failures, [{ message: 'the disk is gone' }]);
});
