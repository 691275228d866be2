import { constants } from 'node:os';
import koffi from 'koffi';

/**
 * System calls that Node has no function for, called in the C library of this process; section 2 of the man pages says what each
 * does. Those that are `checked` throw errors with a `code`, as `node:fs` does. The others answer below 0 and leave the reason in
 * {@link lastErrno}: they are for hot paths where failing is common.
 */

const library = koffi.load(null);

/** Two names of one number: the one that Node's errors have stays. */
const SECOND_NAMES = new Set(['EWOULDBLOCK', 'EOPNOTSUPP']);

const CODES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno)
    .filter(([name]) => !SECOND_NAMES.has(name))
    .map(([name, number]) => [number, name]),
);

/** `errno(3)` of the last call of this thread that failed. */
export function lastErrno(): number {
  return koffi.errno();
}

/** What a call that failed with this errno throws. */
export function systemError(errno: number, syscall: string): NodeJS.ErrnoException {
  const code = CODES.get(errno) ?? `errno ${errno}`;
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, errno: -errno });
}

type Parameter = number | bigint | string | Uint8Array;

/** @param prototype of C. The result is one that a double holds exactly. */
function unchecked<P extends readonly Parameter[]>(prototype: string): (...parameters: P) => number {
  const call: (...parameters: P) => number | bigint = library.func(prototype);
  return (...parameters) => Number(call(...parameters));
}

function checked<P extends readonly Parameter[]>(prototype: string): (...parameters: P) => number {
  const call = unchecked<P>(prototype);
  const syscall = /(\w+)\(/.exec(prototype)?.[1] ?? prototype;
  return (...parameters) => {
    const result = call(...parameters);
    if (result < 0) throw systemError(koffi.errno(), syscall);
    return result;
  };
}

/** read(2) into the whole of a buffer, or its first bytes. */
export const readNow = unchecked<[descriptor: number, target: Uint8Array, sizeBytes: number]>(
  'int64_t read(int descriptor, uint8_t* target, size_t size)',
);

/** write(2). */
export const writeNow = unchecked<[descriptor: number, bytes: Uint8Array, sizeBytes: number]>(
  'int64_t write(int descriptor, uint8_t* bytes, size_t size)',
);

/** fcntl(2) with a number as its argument. */
export const controlDescriptor = checked<[descriptor: number, command: number, argument: number]>(
  'int fcntl(int descriptor, int command, int argument)',
);

/** renameat2(2). Paths relative to no descriptor are absolute, such as `/proc/self/fd/N/name`. */
export const renameAt = checked<
  [fromFolder: number, from: string, toFolder: number, to: string, flags: number]
>('int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned int flags)');

/** utimensat(2). @param times two `struct timespec`: see {@link timespecs} */
export const setTimesAt = checked<[folder: number, path: string, times: Uint8Array, flags: number]>(
  'int utimensat(int folder, const char* path, uint8_t* times, int flags)',
);

/** fallocate(2). */
export const allocate = checked<[descriptor: number, mode: number, position: number, sizeBytes: number]>(
  'int fallocate(int descriptor, int mode, int64_t position, int64_t size)',
);

/** lseek(2). @returns the position */
export const seek = checked<[descriptor: number, position: number, whence: number]>(
  'int64_t lseek(int descriptor, int64_t position, int whence)',
);

/** mknodat(2). @param mode with its type bits */
export const makeNodeAt = checked<[folder: number, path: string, mode: number, device: number]>(
  'int mknodat(int folder, const char* path, unsigned int mode, uint64_t device)',
);

/** `AT_FDCWD`: relative paths are those of this process, and absolute ones need no folder. */
export const NO_FOLDER = -100;

const UTIME_OMIT = 0x3ffffffen;
const NS_PER_SECOND = 1_000_000_000n;

/** Time of access and of change for {@link setTimesAt}, in nanoseconds since 1970; an absent one stays as it is. */
export function timespecs(accessedNs: bigint | undefined, modifiedNs: bigint | undefined): Uint8Array {
  const times = Buffer.alloc(32);
  for (const [index, ns] of [accessedNs, modifiedNs].entries()) {
    const rest = ns === undefined ? UTIME_OMIT : ((ns % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND;
    times.writeBigInt64LE(ns === undefined ? 0n : (ns - rest) / NS_PER_SECOND, index * 16);
    times.writeBigInt64LE(rest, index * 16 + 8);
  }
  return times;
}

const pollCall = library.func('int poll(uint8_t* descriptors, uint64_t count, int timeoutMs)');
/** `struct pollfd`: the descriptor, the events that are waited for, and those that came. */
const POLLFD_BYTES = 8;
const POLLIN = 1;

function pollfd(descriptor: number): Buffer {
  const polled = Buffer.alloc(POLLFD_BYTES);
  polled.writeInt32LE(descriptor, 0);
  polled.writeInt16LE(POLLIN, 4);
  return polled;
}

/** Memory that poll(2) writes to in another thread: nothing else would keep it from being collected. */
const polling = new Set<Buffer>();

/** Waits in a thread of libuv's pool until there is something to read, or the other end is gone; a signal may end it before. */
export function waitToRead(descriptor: number): Promise<void> {
  const polled = pollfd(descriptor);
  polling.add(polled);
  return new Promise((resolve) => {
    pollCall.async(polled, 1, -1, () => {
      polling.delete(polled);
      resolve();
    });
  });
}

/** Waits in this thread, and so for milliseconds only. @returns whether there is something to read */
export function waitBrieflyToRead(descriptor: number, timeoutMs: number): boolean {
  return Number(pollCall(pollfd(descriptor), 1, timeoutMs)) > 0;
}
