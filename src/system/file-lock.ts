import { constants } from 'node:os';
import { koffi } from './koffi.ts';

/** Locks on open files, which the kernel lets go of when the process ends, however it does. All processes of a machine see them, whatever container they are in. */

const { EWOULDBLOCK } = constants.errno;
/** Of sys/file.h. */
const LOCK = { shared: 1, alone: 2 } as const;
const LOCK_NB = 4;

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
 * flock(2), without waiting, until the file is closed.
 * @returns `held` where another open file has it; `cannot say` where the disk has no locks
 */
export function tryLock(descriptor: number, how: keyof typeof LOCK): 'taken' | 'held' | 'cannot say' {
  const { call, errno } = flock();
  if (call(descriptor, LOCK[how] | LOCK_NB) === 0) return 'taken';
  return errno() === EWOULDBLOCK ? 'held' : 'cannot say';
}
