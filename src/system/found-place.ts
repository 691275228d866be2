import { open } from 'node:fs';
import { clearTimeout, setTimeout } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { endWithoutDisks, noteAsker } from './disk-waits.ts';
import { diskNumber, diskOf } from './file-status.ts';
import { closeNow, O_PATH } from './files.ts';
import { exitNow } from './libc.ts';

/**
 * Opens paths of which nobody knows where they lead. Such a path may have come to lead into a mount that this very process serves: the kernel asks about each
 * name on the way, and gets no answer before the serving thread is free. Or it may lead to a disk that does not answer, of the network or of another program.
 * So the serving thread never follows such a path itself, and never waits for one without a limit.
 */

/** Long enough for a sleeping disk, or one of the network, which take some seconds. */
export const ANSWER_WITHIN_MS = 10_000;
/**
 * How many threads of libuv's pool may wait at the same time, for each thread of the process that looks at paths. Threads other than the main one look at one
 * path only, the state folder, without which nothing goes on. A waiting thread may never come back, and the pool serves the mount, too.
 */
const MOST_AT_ONCE = 3;
/** Two threads always wait, for requests and for changes of the docs. One is for everything else, such as telling the kernel of changes. */
const THREADS_OF_OTHERS = 3;

const openLater = promisify(open);

/** Disks that this process serves, by `st_dev`. */
const served = new Set<number>();

/** Registers a disk as served by this process. @param device `major:minor`, as in mountinfo. @returns a function that takes this back */
export function noteServedDisk(device: string): () => void {
  const [major = 0, minor = 0] = device.split(':').map(Number);
  const disk = diskNumber(major, minor);
  served.add(disk);
  return () => {
    served.delete(disk);
  };
}

/** The path leads into a mount that this process serves. It counts as missing. */
export class ServedHereError extends Error {
  constructor() {
    super('it lies in the mount that this very daemon serves');
  }
}

/** It is not known whether anything lies at a path, or what. For code that looks at error codes it is a failure of a system call. */
export class NoAnswerError extends Error {
  readonly code = 'ETIMEDOUT';
  readonly syscall = 'open';

  constructor(why: string) {
    super(why);
  }
}

/** The disk could not even be asked, since too many others do not answer. */
export class NotAskedError extends NoAnswerError {
  constructor() {
    super('it was not looked at, since too many others do not answer');
  }
}

/** A look at paths that has begun and not yet ended. */
interface Look {
  readonly paths: readonly string[];
  /** Whether the caller who asked for it has given up. */
  isLate: boolean;
}

const looks = new Set<Look>();
/** Callers to be woken up when the next look ends or becomes late. */
let waiting: (() => void)[] = [];
let atOnce = MOST_AT_ONCE;

/** Sets how many threads libuv's pool has. From then on only as many wait as it can spare, but at least one. Default: it can spare three. */
export function notePoolThreads(threads: number): void {
  atOnce = Math.max(1, Math.min(MOST_AT_ONCE, threads - THREADS_OF_OTHERS));
}

if (isMainThread) {
  noteAsker(() => looks.size > 0);
  endWithoutDisks(exitNow);
}

function wakeAll(): void {
  const woken = waiting;
  waiting = [];
  for (const wake of woken) wake();
}

/**
 * Asks about what lies at a path, in threads of libuv's pool. Until that has ended, nothing else is asked about this path or one below it: other callers wait
 * for it, and are refused at once if the first caller has given up. So a path that does not answer blocks one thread, and no caller who asks about another
 * path.
 * @param ask is called once its turn has come; it may ask several things, one after the other. The signal is aborted when the caller has given up
 * @param giveBack releases an answer that came after the caller had given up
 * @param wayTo as in {@link atPlace}
 * @throws NoAnswerError if there is no answer {@link ANSWER_WITHIN_MS} after the call; NotAskedError if too many other paths do not answer, so that this one
 * could not be asked about; and what `ask` throws
 */
export async function askAbout<T>(
  path: string,
  ask: (signal: AbortSignal) => Promise<T>,
  giveBack: (late: T) => void = () => {},
  wayTo = path,
): Promise<T> {
  const limit = new AbortController();
  const late = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason), { once: true });
  });
  // If it is rejected after the race is over, nobody handles it.
  late.catch(() => {});
  const timer = setTimeout(() => {
    limit.abort(new NoAnswerError(`its disk has not answered for ${ANSWER_WITHIN_MS / 1000} s`));
  }, ANSWER_WITHIN_MS);
  try {
    const look = await turnOf([path, wayTo], late);
    return await Promise.race([answerTo(look, ask, giveBack, limit.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until these paths may be asked about. */
async function turnOf(paths: readonly string[], late: Promise<never>): Promise<Look> {
  const isIn = (other: string) => paths.some((path) => path === other || path.startsWith(`${other}/`));
  for (;;) {
    const before = [...looks].filter((look) => look.paths.some(isIn));
    if (before.some(({ isLate }) => isLate)) throw new NoAnswerError('its disk does not answer');
    if (before.length === 0 && looks.size < atOnce) {
      const look = { paths, isLate: false };
      looks.add(look);
      return look;
    }
    if (before.length === 0 && [...looks].every(({ isLate }) => isLate)) {
      // A caller that asks again and again must let others go on.
      await nextTurn();
      throw new NotAskedError();
    }
    const isFree = new Promise<void>((resolve) => waiting.push(resolve));
    await Promise.race([isFree, late]).catch((error: unknown) => {
      throw before.length === 0 ? new NotAskedError() : error;
    });
  }
}

async function answerTo<T>(
  look: Look,
  ask: (signal: AbortSignal) => Promise<T>,
  giveBack: (late: T) => void,
  signal: AbortSignal,
): Promise<T> {
  signal.addEventListener(
    'abort',
    () => {
      look.isLate = true;
      wakeAll();
    },
    { once: true },
  );
  try {
    const answer = await ask(signal);
    if (signal.aborted) giveBack(answer);
    return answer;
  } finally {
    looks.delete(look);
    wakeAll();
  }
}

/**
 * Opens an O_PATH descriptor for what a path leads to.
 * @param flags flags of open(2) besides `O_PATH`
 * @throws Error with a `code`, ServedHereError; as {@link askAbout}
 */
export function findLater(path: string, flags = 0): Promise<number> {
  return askAbout(path, () => found(path, flags), closeNow);
}

async function found(path: string, flags: number): Promise<number> {
  const descriptor = await openLater(path, O_PATH | flags);
  if (!served.has(diskOf(descriptor))) return descriptor;
  closeNow(descriptor);
  throw new ServedHereError();
}

/**
 * Calls `body` with a path through a descriptor, which leads to what lies at the given path and nowhere else until `body` has ended. If `body` has to ask the
 * disk about it, it must do that asynchronously, too.
 * @param flags as in {@link findLater}
 * @param wayTo a path that is looked for by way of this one. If this one does not answer, callers who ask about `wayTo` are refused as well, and with
 * NoAnswerError, since their own look might hang at the same place. Default: `path`
 * @throws as {@link findLater}, and what `body` throws
 */
export function atPlace<T>(
  path: string,
  flags: number,
  body: (handlePath: string, descriptor: number) => T | Promise<T>,
  wayTo?: string,
): Promise<T> {
  const ask = async (signal: AbortSignal): Promise<T> => {
    const descriptor = await found(path, flags);
    try {
      signal.throwIfAborted();
      return await body(`/proc/self/fd/${descriptor}`, descriptor);
    } finally {
      closeNow(descriptor);
    }
  };
  return askAbout(path, ask, undefined, wayTo);
}
