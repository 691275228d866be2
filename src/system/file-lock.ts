import { closeSync, fstatSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { koffi } from './koffi.ts';

/**
 * Locks on open files. The kernel releases them when the process ends, however it ends. All processes of a machine see them, in whatever container they run.
 */

const { EWOULDBLOCK } = constants.errno;
/** `LOCK_SH` and `LOCK_EX`, from sys/file.h. */
const LOCK = { shared: 1, alone: 2 } as const;
const LOCK_NB = 4;
const WAITS_MS = 10_000;
const PAUSE_MS = 10;

interface Flock {
  readonly call: (descriptor: number, operation: number) => number;
  readonly errno: () => number;
}

let loaded: Flock | undefined;

function flock(): Flock {
  if (loaded !== undefined) return loaded;
  const call = koffi().load(null).func('int flock(int descriptor, int operation)');
  loaded = {
    call: (descriptor, operation) => Number(call(descriptor, operation)),
    errno: () => koffi().errno(),
  };
  return loaded;
}

/**
 * flock(2) without waiting. The lock is held until the file is closed.
 * @returns `held` if another open file has the lock; `cannot say` if the disk has no locks
 */
export function tryLock(descriptor: number, how: keyof typeof LOCK): 'taken' | 'held' | 'cannot say' {
  const { call, errno } = flock();
  if (call(descriptor, LOCK[how] | LOCK_NB) === 0) return 'taken';
  return errno() === EWOULDBLOCK ? 'held' : 'cannot say';
}

/** A file or folder that is locked while something is done. */
export interface Lockable {
  readonly path: string;
  /** Opens what is locked, and makes it if it is missing. @returns its descriptor; undefined if there is none, and nobody is to be kept out */
  readonly open: () => number | undefined;
  /** The error to throw after somebody else has held the lock for ten seconds. */
  readonly heldForLong: () => Error;
}

/**
 * Runs the body while nobody else holds the lock. On a disk without locks, nobody is kept out.
 * @param body has done its work when it returns
 * @throws whatever `open` and the body throw
 */
export async function whileLocked<T>({ path, open, heldForLong }: Lockable, body: () => T): Promise<T> {
  const lastMs = performance.now() + WAITS_MS;
  for (;;) {
    const descriptor = open();
    if (descriptor === undefined) return body();
    try {
      const found = tryLock(descriptor, 'alone');
      if (found === 'cannot say') return body();
      // The previous holder may have removed the file; others then lock the file that has its name now.
      if (found === 'taken' && isAt(descriptor, path)) return body();
    } finally {
      closeSync(descriptor);
    }
    if (performance.now() > lastMs) throw heldForLong();
    await delay(PAUSE_MS);
  }
}

function isAt(descriptor: number, path: string): boolean {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false });
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return there?.ino === ino && there.dev === dev;
}
