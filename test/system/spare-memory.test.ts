import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { boundSpareMemory } from '../../src/system/spare-memory.ts';

const MANY = 300_000;

function residentMiB(): number {
  return process.memoryUsage.rss() / (1 << 20);
}

/** As serving many requests does: much is made, and little of it kept. */
function work(): Map<number, string[]> {
  const made = new Map<number, string[]>();
  const until = performance.now() + 700;
  for (let index = 0; index < MANY || performance.now() < until; index += 1) {
    made.set(index % MANY, [`name ${index}`, `path ${index}`]);
  }
  return made;
}

t.test('who has nothing to do gives back what the work before left behind', async (t) => {
  let made: Map<number, string[]> | undefined;
  let askedTo = 0;
  const end = boundSpareMemory(() => {
    askedTo += 1;
    made = undefined;
  }, 1000);
  t.teardown(end);
  made = work();
  t.equal(made.size, MANY);
  const busyMiB = residentMiB();
  while (askedTo === 0) await sleep(100);
  while (residentMiB() > busyMiB - 20) await sleep(100);
  await sleep(2500);
  t.equal(askedTo, 1, 'once for what was done, not again and again');
});

t.test('a process that does little is left alone', async (t) => {
  let askedTo = 0;
  t.teardown(
    boundSpareMemory(() => {
      askedTo += 1;
    }, 50),
  );
  // What this process did before counts once.
  while (askedTo === 0) await sleep(50);
  await sleep(500);
  t.equal(askedTo, 1);
});

t.test('what was done after a long rest is given back, too', async (t) => {
  let askedTo = 0;
  t.teardown(
    boundSpareMemory(() => {
      askedTo += 1;
    }, 300),
  );
  while (askedTo === 0) await sleep(50);
  await sleep(1500);
  work();
  while (askedTo === 1) await sleep(50);
  t.equal(askedTo, 2);
});

t.test('long work does not make the heap several times as large as what is in use', async (t) => {
  const LOOK_EVERY_MS = 100;
  t.teardown(boundSpareMemory(() => {}, LOOK_EVERY_MS));
  const made = new Map<number, string[]>();
  const startMs = performance.now();
  const usedMiB: number[] = [];
  for (let index = 0; performance.now() < startMs + 4000; ) {
    for (const until = index + 20_000; index < until; index += 1)
      made.set(index % 100_000, [`name ${index}`, `path ${index}`]);
    await new Promise(setImmediate);
    if (performance.now() > startMs + 2000) usedMiB.push(process.memoryUsage().heapUsed / (1 << 20));
  }
  // Left to itself V8 makes it five times as large here.
  t.ok(
    Math.max(...usedMiB) < 4 * Math.min(...usedMiB),
    `between ${Math.min(...usedMiB)} and ${Math.max(...usedMiB)} MiB`,
  );
});
