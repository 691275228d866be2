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
 * What lies at a path of which nobody knows where it leads. It may have come to lead into a mount that this very process serves: the kernel asks about
 * each name on the way there, and has no answer before the thread that serves is free. Or to a disk that does not answer, of the network or of another
 * program. So that thread never follows such a path itself, and waits for none for good.
 */

/** A disk that slept, or one of the network, takes some seconds. */
export const ANSWER_WITHIN_MS = 10_000;
/**
 * Threads of libuv's pool that may wait at the same time, in each thread of the process that looks: of all but the main one that is one place, the
 * state folder, without which nothing goes on. Each of them may never come back, and the pool serves the mount, too.
 */
const MOST_AT_ONCE = 3;
/** Two always wait, for requests and for changes of the docs, and one is for all else: the kernel is told of changes by it. */
const THREADS_OF_OTHERS = 3;

const openLater = promisify(open);

/** Disks that this process serves. */
const served = new Set<number>();

/** Says that a disk is served by this process. @param device `major:minor`, as mountinfo has it. @returns says that it is so no longer */
export function noteServedDisk(device: string): () => void {
  const [major = 0, minor = 0] = device.split(':').map(Number);
  const disk = diskNumber(major, minor);
  served.add(disk);
  return () => {
    served.delete(disk);
  };
}

/** What was looked for lies in a mount that this process serves, and is as if it were not there. */
export class ServedHereError extends Error {
  constructor() {
    super('it lies in the mount that this very daemon serves');
  }
}

/** What lies at a path is not known: whether it is there, or what it is. It is a failure of a system call for who looks at its code. */
export class NoAnswerError extends Error {
  readonly code = 'ETIMEDOUT';
  readonly syscall = 'open';

  constructor(why: string) {
    super(why);
  }
}

/** Nobody could be asked: too many others do not answer. */
export class NotAskedError extends NoAnswerError {
  constructor() {
    super('it was not asked for, since too many others do not answer');
  }
}

/** A look that has begun, and has not ended. */
interface Look {
  readonly paths: readonly string[];
  /** Whether who asked for it has given up. */
  isLate: boolean;
}

const looks = new Set<Look>();
/** Each is to be woken up at the next look that ends or is late. */
let waiting: (() => void)[] = [];
let atOnce = MOST_AT_ONCE;

/** Says how many threads libuv's pool has: no more wait from now on than it can spare, but one at least. Default: it can spare three. */
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
 * Asks about what lies at a path, in threads of libuv's pool. Nothing else is asked about it, or about what lies below it, before that has ended: whoever
 * asks meanwhile waits for it, and is refused at once where it has been given up. So a path that does not answer holds up one thread, and nobody who asks
 * about other paths.
 * @param ask is called once its turn has come; it may ask several things, one after the other. The signal is aborted when the caller has given up
 * @param giveBack takes what is there when the caller has given up
 * @param wayTo as {@link atPlace}
 * @throws NoAnswerError where nothing is there {@link ANSWER_WITHIN_MS} after this was called; NotAskedError where so many paths do not answer that no
 *   other may be asked about; and what `ask` throws
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
  // It may be nobody's any more.
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

/** Waits until paths may be asked about. */
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
      // Who asks again and again lets others go on.
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
 * A descriptor, which opens nothing, of what a path leads to.
 * @param flags of open(2) besides `O_PATH`
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
 * Calls `body` with a path that leads to what lies at another one, and nowhere else until that has ended. Where its disk may have to be asked about it, that is for
 * `body` to do later, too.
 * @param flags as {@link findLater}
 * @param wayTo what is looked for by way of it. Who asks about that is refused as well where this does not answer, and not because nobody can be asked: its
 *   own look might hang at the same place. Default: nothing else
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
