import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { type Answer, DONE } from '../../../src/fuse/linux/handler.ts';
import { OPCODE } from '../../../src/fuse/linux/protocol/opcodes.ts';
import type { Request } from '../../../src/fuse/linux/protocol/request.ts';
import { requestOf } from './message-pair.ts';

import { promised, serve } from './served-session.ts';

/** Some of the operations that nobody has to be identified for. */
const { lookup, read, statfs } = OPCODE;

function busyFor(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

t.test('the event loop gets its turns while requests stream in', async (t) => {
  const { kernel } = serve(t, {
    lookup() {
      busyFor(1);
      return DONE;
    },
  });
  let unique = 0;
  for (; unique < 100; unique += 1) kernel.ask(requestOf(lookup, unique));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    handle = setImmediate(count);
  };
  let handle = setImmediate(count);
  await kernel.waitFor(unique);
  clearImmediate(handle);
  t.ok(turns >= 10, `${turns} turns in 100 ms of requests`);
});

t.test('what may be done ahead is done when no request waits', async (t) => {
  const events: string[] = [];
  let left = 0;
  const prefetch = () => {
    if (left === 0) return false;
    left -= 1;
    events.push('ahead');
    if (left === 1) throw new Error('a bug');
    return true;
  };
  const answer = () => {
    events.push('answer');
    left = 3;
    return DONE;
  };
  const { kernel, bugs } = serve(t, { statfs: answer }, undefined, { prefetch, cores: 2 });
  kernel.ask(requestOf(statfs, 1));
  kernel.ask(requestOf(statfs, 2));
  await kernel.waitFor(2);
  while (left > 0) await delay(1);
  kernel.ask(requestOf(statfs, 3));
  await kernel.waitFor(1);
  while (left > 0) await delay(1);
  const thrice = ['ahead', 'ahead', 'ahead'];
  t.strictSame(events, ['answer', 'answer', ...thrice, 'answer', ...thrice]);
  t.strictSame(bugs, ['prefetch: Error: a bug', 'prefetch: Error: a bug']);
});

t.test('with one core all is answered, and nothing is done ahead', async (t) => {
  let isAhead = false;
  const prefetch = () => {
    isAhead = true;
    return false;
  };
  const slow = promised<Answer>();
  const handlers = { statfs: () => DONE, read: () => slow.promise };
  const { kernel } = serve(t, handlers, undefined, { prefetch, cores: 1 });
  kernel.ask(requestOf(read, 1));
  for (let unique = 2; unique < 100; unique += 1) {
    kernel.ask(requestOf(statfs, unique));
    t.match(await kernel.waitFor(1), [{ unique, errno: 0 }]);
  }
  slow.resolve(DONE);
  t.match(await kernel.waitFor(1), [{ unique: 1, errno: 0 }]);
  t.notOk(isAhead);
});

t.test('slow answers do not hold up fast ones', async (t) => {
  const slow = promised<Answer>();
  const { kernel, session } = serve(t, { read: () => slow.promise, lookup: () => DONE });
  kernel.ask(requestOf(read, 1));
  for (let unique = 2; unique < 52; unique += 1) kernel.ask(requestOf(lookup, unique));
  const answers = await kernel.waitFor(50);
  t.notOk(answers.some(({ unique }) => unique === 1));
  t.equal(session.figures().pending, 1);
  slow.resolve(DONE);
  t.match(await kernel.waitFor(1), [{ unique: 1, errno: 0 }]);
});

t.test('a request that waits has its message to itself', async (t) => {
  const names: string[] = [];
  const read = (request: Request): string => request.message.toString('latin1', 40);
  const { kernel } = serve(t, {
    // Its caller is looked for first, and other requests come meanwhile.
    unlink(request) {
      names.push(read(request));
      return DONE;
    },
    lookup: () => DONE,
  });
  for (let unique = 1; unique <= 40; unique += 1) {
    const message = requestOf(
      unique % 2 === 0 ? lookup : OPCODE.unlink,
      unique,
      Buffer.from(`name ${unique % 2}`),
    );
    // A process that there is, so that there is something to find out.
    message.writeUInt32LE(process.ppid, 32);
    kernel.ask(message);
  }
  await kernel.waitFor(40);
  t.same(names, Array(20).fill('name 1'));
});

t.test('nobody who asks costs nothing', async (t) => {
  const { kernel } = serve(t, { lookup: () => DONE, read: () => new Promise(() => {}) });
  kernel.ask(requestOf(read, 1));
  kernel.ask(requestOf(lookup, 2));
  await kernel.waitFor(1);
  const before = process.cpuUsage();
  await delay(1000);
  const { user, system } = process.cpuUsage(before);
  t.ok(user + system < 100_000, `${(user + system) / 1000} ms of CPU in a second`);
});
