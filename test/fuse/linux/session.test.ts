import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import type { OpContext } from '../../../src/core/resolver.ts';
import { Callers } from '../../../src/fuse/linux/callers.ts';
import {
  type Answer,
  DONE,
  type Handler,
  type Handlers,
  refused,
  Stale,
} from '../../../src/fuse/linux/handler.ts';
import { PAYLOAD } from '../../../src/fuse/linux/protocol/answer.ts';
import { OPCODE } from '../../../src/fuse/linux/protocol/opcodes.ts';
import { Session } from '../../../src/fuse/linux/session.ts';
import { SlowLocks } from '../../../src/fuse/linux/slow-locks.ts';
import { within } from '../../support/within.ts';
import { MessagePair, requestOf } from './message-pair.ts';

import { counted, nonsense, promised, serve } from './served-session.ts';

const { EACCES, EINTR, EIO, ENODATA, ENOSYS, ESTALE, ETIMEDOUT } = constants.errno;
/** Some of the operations that nobody has to be identified for. */
const { flush, fsync, getattr, lookup, lseek, read, readlink, statfs } = OPCODE;

const DEADLINE_MS = 60;
/** Threads, to {@link Callers.isEnding}. */
const [KILLED, KILLED_LATER, LIVING] = [11, 12, 13];

/** Each way to answer, with the errno that the caller has to see. */
const BEHAVIOURS: Readonly<Record<string, readonly [Handler, number]>> = {
  answers: [() => DONE, 0],
  'answers soon': [async () => DONE, 0],
  'answers later': [() => delay(5, DONE), 0],
  throws: [
    () => {
      throw new Error('a bug');
    },
    EIO,
  ],
  'throws nothing': [
    () => {
      throw undefined;
    },
    EIO,
  ],
  refuses: [
    () => {
      throw new FsError('EACCES', '/a', 'no');
    },
    EACCES,
  ],
  'is stale': [
    () => {
      throw new Stale();
    },
    ESTALE,
  ],
  rejects: [() => Promise.reject(new Error('a bug')), EIO],
  'refuses later': [() => delay(5).then(() => Promise.reject(new FsError('EACCES', '/a', 'no'))), EACCES],
  'answers null': [() => nonsense('null'), EIO],
  'answers a number': [() => nonsense('5'), EIO],
  'answers a number later': [async () => nonsense('5'), EIO],
  'has a broken promise': [() => nonsense<Promise<Answer>>('{"then":5}'), EIO],
  'has an encoder that throws': [
    () => ({
      encode() {
        throw new RangeError('too long');
      },
    }),
    EIO,
  ],
  'has an encoder that answers less than nothing': [() => ({ encode: () => -17 }), EIO],
  'has an encoder that answers no number': [() => ({ encode: () => Number.NaN }), EIO],
  'has an encoder that answers more than there is': [() => ({ encode: () => 1 << 30 }), EIO],
  'has an answer that nobody takes': [() => ({ encode: (out) => out.length - PAYLOAD }), EIO],
  'has an undo that throws': [
    () => ({
      encode: () => Number.NaN,
      undo() {
        throw new Error('a bug');
      },
    }),
    EIO,
  ],
  'answers with an errno': [() => refused('ENODATA'), ENODATA],
  'answers with an errno later': [() => delay(1, refused('ENODATA')), ENODATA],
  'answers after the deadline': [() => delay(DEADLINE_MS * 2, DONE), ETIMEDOUT],
  'rejects after the deadline': [
    () => delay(DEADLINE_MS * 2).then(() => Promise.reject(new Error('late'))),
    ETIMEDOUT,
  ],
  'never answers': [() => new Promise(() => {}), ETIMEDOUT],
};

t.test('every request is answered once, whatever its handler does', async (t) => {
  const names = Object.keys(BEHAVIOURS);
  const handler: Handler = (request, context) => {
    const behaviour = BEHAVIOURS[names[request.message.readUInt32LE(40)] ?? ''];
    if (behaviour === undefined) throw new Error('a request came that was never sent');
    return behaviour[0](request, context);
  };
  const { kernel, session } = serve(t, { lookup: handler, unlink: handler }, DEADLINE_MS);
  let unique = 0;
  const index = fc.nat(names.length - 1);
  await fc.assert(
    fc.asyncProperty(fc.array(index, { minLength: 1, maxLength: 30 }), async (indexes) => {
      const expected = new Map<number, number>();
      for (const [place, index] of [...names.keys(), ...indexes].entries()) {
        unique += 2;
        const body = Buffer.alloc(8);
        body.writeUInt32LE(index, 0);
        kernel.ask(requestOf(place % 2 === 0 ? lookup : OPCODE.unlink, unique, body));
        expected.set(unique, BEHAVIOURS[names[index] ?? '']?.[1] ?? -1);
      }
      const answers = await kernel.waitFor(expected.size);
      await delay(DEADLINE_MS * 2);
      answers.push(...kernel.answers());
      t.equal(answers.length, expected.size);
      t.same(
        answers.toSorted((a, b) => a.unique - b.unique).map(({ unique, errno }) => [unique, errno]),
        [...expected],
      );
    }),
    { numRuns: 4 },
  );
  t.equal(session.figures().pending, 0);
});

t.test('what the driver does not know is answered ENOSYS', async (t) => {
  const { kernel } = serve(t, { lookup: () => DONE });
  for (const opcode of [getattr, 53, 39, 0, 0xffff_ffff]) kernel.ask(requestOf(opcode, 2));
  t.same(
    (await kernel.waitFor(5)).map(({ errno }) => errno),
    [ENOSYS, ENOSYS, ENOSYS, ENOSYS, ENOSYS],
  );
});

t.test('an answer that is not taken, or comes too late, is undone once', async (t) => {
  const undone: string[] = [];
  const tooLong = (out: Buffer): number => out.length - PAYLOAD;
  const late = promised<Answer>();
  const { kernel } = serve(
    t,
    {
      lookup: () => counted(1, () => undone.push('taken')),
      getattr: () => ({ encode: tooLong, undo: () => undone.push('too long') }),
      read: () => late.promise,
      statfs: () => ({ encode: () => Number.NaN, undo: () => undone.push('no number') }),
    },
    DEADLINE_MS,
  );
  for (const [index, opcode] of [lookup, getattr, read, statfs].entries()) {
    kernel.ask(requestOf(opcode, index + 1));
  }
  await kernel.waitFor(4);
  late.resolve(counted(1, () => undone.push('late')));
  await late.promise;
  await new Promise(setImmediate);
  t.same(undone, ['too long', 'no number', 'late']);
});

t.test('INTERRUPT aborts the request that it names, and no other', async (t) => {
  const contexts = new Map<number, OpContext>();
  const answers = new Map<number, (answer: Answer) => void>();
  const { kernel } = serve(t, {
    read({ unique }, context) {
      const { promise, resolve } = promised<Answer>();
      contexts.set(unique, context);
      answers.set(unique, resolve);
      return promise;
    },
    statfs: () => DONE,
  });
  for (const unique of [2, 4, 6]) kernel.ask(requestOf(read, unique));
  const named = Buffer.alloc(8);
  named.writeBigUInt64LE(4n);
  kernel.ask(requestOf(OPCODE.interrupt, 5, named));
  kernel.ask(requestOf(statfs, 8));
  await kernel.waitFor(1);
  const aborted = async () => {
    while (contexts.get(4)?.signal?.aborted !== true) await delay(1);
  };
  await within(60_000, aborted());
  t.same(
    [...contexts].map(([unique, { signal }]) => [unique, signal?.aborted]),
    [
      [2, false],
      [4, true],
      [6, false],
    ],
  );
  for (const [unique, resolve] of answers) resolve(counted(unique));
  const answered = await kernel.waitFor(3);
  t.same(
    answered.map(({ unique, errno }) => [unique, errno]),
    [
      [2, 0],
      [4, 0],
      [6, 0],
    ],
    'the interrupt itself is not answered',
  );
});

t.test('who is sent a signal that ends it gets EINTR at once, and who lives on its answer', async (t) => {
  const asked = new Map<number, { context: OpContext; resolve: (answer: Answer) => void }>();
  let looks = 0;
  const callers = new Callers();
  callers.isEnding = async (thread) => {
    looks += 1;
    return thread === KILLED || (thread === KILLED_LATER && looks > 4);
  };
  const { kernel, session } = serve(
    t,
    {
      read({ unique }, context) {
        const { promise, resolve } = promised<Answer>();
        asked.set(unique, { context, resolve });
        return promise;
      },
    },
    60_000,
    { callers },
  );
  const threads = [KILLED, KILLED_LATER, LIVING];
  for (const [index, thread] of threads.entries()) {
    const message = requestOf(read, 2 * index + 2);
    message.writeUInt32LE(thread, 32);
    kernel.ask(message);
  }
  for (const unique of [2n, 4n, 6n]) {
    const named = Buffer.alloc(8);
    named.writeBigUInt64LE(unique);
    kernel.ask(requestOf(OPCODE.interrupt, Number(unique) + 1, named));
  }
  t.match(await kernel.waitFor(1), [{ unique: 2, errno: EINTR }]);
  t.match(await kernel.waitFor(1), [{ unique: 4, errno: EINTR }]);
  const undone: number[] = [];
  for (const [unique, { resolve }] of asked) resolve(counted(unique, () => undone.push(unique)));
  t.match(await kernel.waitFor(1), [{ unique: 6, errno: 0 }]);
  t.same(undone, [2, 4]);
  t.same(
    [...asked.values()].map(({ context }) => context.signal?.aborted),
    [true, true, false],
  );
  t.match(session.figures(), { pending: 0, timeouts: 0 });
});

t.test('a caller who waits for too long gets ETIMEDOUT, and what serves it is told', async (t) => {
  let signal: AbortSignal | undefined;
  const { kernel, session } = serve(
    t,
    {
      read(_request, context) {
        signal = context.signal;
        return new Promise(() => {});
      },
    },
    DEADLINE_MS,
  );
  const startMs = performance.now();
  kernel.ask(requestOf(read, 2));
  const [answer] = await kernel.waitFor(1);
  t.equal(answer?.errno, ETIMEDOUT);
  t.ok(performance.now() - startMs >= DEADLINE_MS - 2);
  await new Promise(setImmediate);
  t.equal(signal?.aborted, true);
  t.match(session.figures(), { requests: 1, pending: 0, timeouts: 1 });
});

t.test('messages that are no requests are reported, and serving goes on', async (t) => {
  const { kernel, bugs } = serve(t, { lookup: () => DONE });
  const messages = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 90 }), { numRuns: 100, seed: 7 });
  for (const message of messages) kernel.ask(message);
  kernel.ask(requestOf(OPCODE.interrupt, 3));
  kernel.ask(requestOf(lookup, 2));
  t.match(await kernel.waitFor(1), [{ unique: 2, errno: 0 }]);
  t.equal(bugs.length, messages.length + 1);
});

t.test('what a slow request has locked is free when it is answered, refused, too late or over', async (t) => {
  const locks = new SlowLocks();
  const isLocked = () => locks.released(1, 'pages') !== undefined;
  for (const end of ['answered', 'refused', 'too late', 'over'] as const) {
    const slow = promised<Answer>();
    const begun = promised<void>();
    const handlers: Handlers = {
      read() {
        begun.resolve();
        return slow.promise;
      },
    };
    const { kernel, ended } = serve(t, handlers, end === 'too late' ? 5 : 10_000, { locks });
    kernel.ask(requestOf(read, 1));
    await begun.promise;
    t.equal(isLocked(), true, `before it is ${end}`);
    if (end === 'answered') slow.resolve(DONE);
    if (end === 'refused') slow.reject(new FsError('EACCES', '', ''));
    if (end === 'over') kernel.unmount();
    await (end === 'over' ? ended : kernel.waitFor(1));
    t.equal(isLocked(), false, end);
  }
});

t.test('a reporter that throws stops nothing', async (t) => {
  const kernel = new MessagePair(t);
  const session = new Session({
    descriptor: kernel.served,
    handlers: {
      lookup: () => {
        throw new Error('a bug');
      },
    },
    callers: new Callers(),
    locks: new SlowLocks(),
    deadlineMs: 1000,
    report: () => {
      throw new Error('nobody to tell');
    },
  });
  const ended = session.run();
  kernel.ask(Buffer.from('garbage'));
  kernel.ask(requestOf(lookup, 2));
  t.match(await kernel.waitFor(1), [{ unique: 2, errno: EIO }]);
  kernel.unmount();
  await ended;
  closeSync(kernel.served);
});

t.test('when the connection is gone, those who serve are told and nothing is written any more', async (t) => {
  const contexts: OpContext[] = [];
  const undone: number[] = [];
  const late = promised<Answer>();
  const kernel = new MessagePair(t);
  const bugs: unknown[] = [];
  const session = new Session({
    descriptor: kernel.served,
    handlers: {
      read(_request, context) {
        contexts.push(context);
        return late.promise;
      },
      lookup: () => DONE,
    },
    callers: new Callers(),
    locks: new SlowLocks(),
    deadlineMs: 1000,
    report: (error) => bugs.push(error),
  });
  const ended = session.run();
  kernel.ask(requestOf(read, 1));
  kernel.ask(requestOf(lookup, 2));
  await kernel.waitFor(1);
  kernel.unmount();
  await ended;
  t.equal(contexts[0]?.signal?.aborted, true);
  t.equal(session.figures().pending, 0);
  // The number goes to another file, as it does in a daemon that goes on working.
  closeSync(kernel.served);
  const other = new MessagePair(t);
  t.equal(other.served, kernel.served);
  late.resolve(counted(1, () => undone.push(1)));
  await late.promise;
  await new Promise(setImmediate);
  t.same(other.answers(), [], 'who has the number of the descriptor now gets nothing');
  t.same(undone, [1]);
  t.same(bugs, []);
  closeSync(other.served);
});

t.test('what was put off is done once the caller has its answer', async (t) => {
  const done: string[] = [];
  const handlers: Handlers = {
    getattr(_request, context) {
      context.later?.(() => done.push(`at once, ${kernel.answers().length} answer`));
      return DONE;
    },
    async lookup(_request, context) {
      await delay(5);
      context.later?.(() => done.push(`later, ${kernel.answers().length} answer`));
      context.later?.(() => done.push('in order'));
      return DONE;
    },
    read(_request, context) {
      context.later?.(() => {
        throw new Error('a bug');
      });
      return DONE;
    },
  };
  const { kernel, bugs } = serve(t, handlers);
  for (const [index, opcode] of [getattr, lookup, read].entries()) {
    kernel.ask(requestOf(opcode, 2 * index + 2));
  }
  const settled = async () => {
    while (done.length < 3 || bugs.length === 0) await delay(1);
  };
  await within(60_000, settled());
  t.strictSame(done, ['at once, 1 answer', 'later, 2 answer', 'in order']);
  t.strictSame(bugs, ['read: Error: a bug']);
});

t.test('what was put off for who gets nothing is never done', async (t) => {
  const done: string[] = [];
  const late = promised<Answer>();
  const putOff = (context: OpContext, what: string) => context.later?.(() => done.push(what));
  const handlers: Handlers = {
    getattr(_request, context) {
      putOff(context, 'sent back at once');
      throw new Stale();
    },
    async lookup(_request, context) {
      putOff(context, 'sent back later');
      throw new Stale();
    },
    statfs(_request, context) {
      putOff(context, 'refused by an error');
      throw new FsError('EACCES', '/a', 'no');
    },
    lseek(_request, context) {
      putOff(context, 'refused by its number');
      return refused('ENOENT');
    },
    async fsync(_request, context) {
      putOff(context, 'refused later');
      throw new FsError('EACCES', '/a', 'no');
    },
    read(_request, context) {
      putOff(context, 'too late');
      return late.promise;
    },
    readlink(_request, context) {
      putOff(context, 'no answer');
      return { encode: () => -1 };
    },
    flush(_request, context) {
      putOff(context, 'given');
      return DONE;
    },
  };
  const { kernel } = serve(t, handlers, 20);
  const opcodes = [getattr, lookup, statfs, lseek, fsync, read, readlink];
  for (const [index, opcode] of opcodes.entries()) kernel.ask(requestOf(opcode, 2 * index + 2));
  await kernel.waitFor(opcodes.length);
  late.resolve(DONE);
  await late.promise;
  await new Promise(setImmediate);
  kernel.ask(requestOf(flush, 100));
  await kernel.waitFor(1);
  t.strictSame(done, ['given']);
});
