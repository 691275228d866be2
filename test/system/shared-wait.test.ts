import { closeSync, writeSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import t from 'tap';
import { openPipe } from '../../src/system/libc.ts';
import { waitWithOthers } from '../../src/system/shared-wait.ts';
import { within } from '../support/within.ts';

const LIMIT_MS = 10_000;
/** More than libuv's pool has threads. */
const MANY = 40;

t.test('as many as like wait, each until it is its turn, and leave threads to others', async (t) => {
  const pipes = Array.from({ length: MANY }, () => openPipe());
  t.teardown(() => {
    for (const { toRead, toWrite } of pipes) for (const end of [toRead, toWrite]) closeSync(end);
  });
  const come: number[] = [];
  const waits = pipes.map(async ({ toRead }, index) => {
    await waitWithOthers(toRead);
    come.push(index);
  });
  t.ok(await within(LIMIT_MS, stat('/')), 'a thread is free');
  const order = [...pipes.keys()].reverse();
  for (const index of order) {
    writeSync(pipes[index]?.toWrite ?? -1, 'x');
    await within(LIMIT_MS, waits[index] ?? Promise.reject(new Error('nobody waits')));
  }
  t.strictSame(come, order);
});

t.test('what is ready is told at once, again and again, while others wait', async (t) => {
  const [ready, never] = [openPipe(), openPipe()];
  t.teardown(() => {
    for (const end of [ready.toRead, ready.toWrite, never.toRead]) closeSync(end);
  });
  const waiting = waitWithOthers(never.toRead);
  writeSync(ready.toWrite, 'x');
  for (let time = 0; time < 20; time += 1) {
    t.equal(await within(LIMIT_MS, waitWithOthers(ready.toRead)), false, 'and nothing was mounted');
  }
  closeSync(never.toWrite);
  t.equal(await within(LIMIT_MS, waiting), false, 'the other end is gone');
});
