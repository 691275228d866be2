import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { type CFunction, koffi } from './koffi.ts';

/**
 * System calls that Node has no function for, called in the C library of this process; section 2 of the man pages says what each
 * does. Those that are `checked` throw errors with a `code`, as `node:fs` does. The others answer below 0 and leave the reason in
 * {@link lastErrno}: they are for hot paths where failing is common.
 */

/** Two names of one number: the one that Node's errors have stays. */
const SECOND_NAMES = new Set(['EWOULDBLOCK', 'EOPNOTSUPP']);

const CODES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno)
    .filter(([name]) => !SECOND_NAMES.has(name))
    .map(([name, number]) => [number, name]),
);

/** `errno(3)` of the last call of this thread that failed. */
export function lastErrno(): number {
  return koffi().errno();
}

/** What a call that failed with this errno throws. */
export function systemError(errno: number, syscall: string): NodeJS.ErrnoException {
  const code = CODES.get(errno) ?? `errno ${errno}`;
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, errno: -errno });
}

type Parameter = number | bigint | string | Uint8Array;

/**
 * A function of the C library that answers below 0 where it fails.
 * @param prototype of C. The result is one that a double holds exactly
 */
export function unchecked<P extends readonly Parameter[]>(prototype: string): (...parameters: P) => number {
  let call: ((...parameters: P) => number | bigint) | undefined;
  return (...parameters) => {
    call ??= koffi().load(null).func(prototype);
    return Number(call(...parameters));
  };
}

/** The same, but it throws where it fails. */
export function checked<P extends readonly Parameter[]>(prototype: string): (...parameters: P) => number {
  const call = unchecked<P>(prototype);
  const syscall = /(\w+)\(/.exec(prototype)?.[1] ?? prototype;
  return (...parameters) => {
    const result = call(...parameters);
    if (result < 0) throw systemError(lastErrno(), syscall);
    return result;
  };
}

/** read(2) into the whole of a buffer, or its first bytes. */
export const readNow = unchecked<[descriptor: number, target: Uint8Array, sizeBytes: number]>(
  'int64_t read(int descriptor, uint8_t* target, size_t size)',
);

/** _exit(2): ends the process at once, where exit(3) waits for threads of libuv's pool, and so for what they wait for. */
export const exitNow = unchecked<[status: number]>('void _exit(int status)');

/** sched_yield(2): others that wait for this core may get it first, as the kernel finds right. */
export const giveWay = unchecked<[]>('int sched_yield()');

/** write(2). */
export const writeNow = unchecked<[descriptor: number, bytes: Uint8Array, sizeBytes: number]>(
  'int64_t write(int descriptor, uint8_t* bytes, size_t size)',
);

/** fcntl(2) with a number as its argument. */
export const controlDescriptor = checked<[descriptor: number, command: number, argument: number]>(
  'int fcntl(int descriptor, int command, int argument)',
);

/** ioctl(2) of those requests that take a structure. */
export const ioctl = unchecked<[descriptor: number, request: number, argument: Uint8Array]>(
  'int ioctl(int descriptor, uint64_t request, uint8_t* argument)',
);

/** Of fcntl.h: how the name that is given beside a folder is taken. */
export const AT_SYMLINK_NOFOLLOW = 0x100;
export const AT_EMPTY_PATH = 0x1000;

/** Of fcntl.h: commands of fcntl(2). */
export const F_SETFD = 2;
export const F_GETFL = 3;
export const F_SETFL = 4;

/** Closed on exec; of fcntl.h, and Node has no name for it: of open(2), and of F_SETFD. */
export const O_CLOEXEC = 0o2000000;
export const FD_CLOEXEC = 1;
/** Of sys/socket.h. */
export const AF_UNIX = 1;
export const SOCK_STREAM = 1;
export const SOCK_CLOEXEC = 0o2000000;

const makePipe = checked<[ends: Uint8Array, flags: number]>('int pipe2(uint8_t* ends, int flags)');

/** Both ends of a pipe(7), closed on exec. @throws Error EMFILE */
export function openPipe(flags = 0): { readonly toRead: number; readonly toWrite: number } {
  const ends = Buffer.alloc(8);
  makePipe(ends, O_CLOEXEC | flags);
  return { toRead: ends.readInt32LE(0), toWrite: ends.readInt32LE(4) };
}

let loadedPoll: CFunction | undefined;

function pollCall(): CFunction {
  loadedPoll ??= koffi().load(null).func('int poll(uint8_t* descriptors, uint64_t count, int timeoutMs)');
  return loadedPoll;
}

/** `struct pollfd`: the descriptor, the events that are waited for, and those that came. */
const POLLFD_BYTES = 8;
const POLLIN = 1;
const POLLPRI = 2;

/** What is waited for. */
export interface Polled {
  readonly descriptor: number;
  /** Default: that there is something to read. `exceptional` is what a change of what is mounted is to a descriptor of /proc/self/mountinfo. */
  readonly event?: 'exceptional';
}

function pollfds(polled: readonly Polled[]): Buffer {
  const fds = Buffer.alloc(POLLFD_BYTES * polled.length);
  for (const [index, { descriptor, event }] of polled.entries()) {
    fds.writeInt32LE(descriptor, POLLFD_BYTES * index);
    fds.writeInt16LE(event === undefined ? POLLIN : POLLPRI, POLLFD_BYTES * index + 4);
  }
  return fds;
}

let exitPipe: number | undefined;

/** The end of a pipe that is hung up when this process exits, which waits for its threads, and so for what they wait for. */
function exitOfProcess(): number {
  if (exitPipe !== undefined) return exitPipe;
  const { toRead, toWrite } = openPipe();
  process.once('exit', () => closeSync(toWrite));
  exitPipe = toRead;
  return exitPipe;
}

/** Memory that poll(2) writes to in another thread: nothing else would keep it from being collected. */
const polling = new Set<Buffer>();

/**
 * Waits in a thread of libuv's pool, of which there are few, until one of some descriptors has what is waited for, or its other end is gone; a
 * signal may end it before.
 * @returns for each whether that is so
 */
export function pollLater(polled: readonly Polled[]): Promise<readonly boolean[]> {
  const fds = pollfds([...polled, { descriptor: exitOfProcess() }]);
  polling.add(fds);
  return new Promise((resolve) => {
    pollCall().async(fds, fds.length / POLLFD_BYTES, -1, () => {
      polling.delete(fds);
      resolve(polled.map((_, index) => fds.readInt16LE(POLLFD_BYTES * index + 6) !== 0));
    });
  });
}

/**
 * Waits, with a thread of the pool of its own, until there is something to read, or the other end is gone; a signal may end it before.
 * @param mounts a descriptor of /proc/self/mountinfo: a change of what is mounted ends it too, each one once
 * @returns whether that is so
 */
export async function waitToRead(descriptor: number, mounts?: number): Promise<boolean> {
  const [, areMountsOthers = false] = await pollLater([{ descriptor }, ...mountsOf(mounts)]);
  return areMountsOthers;
}

/** @param descriptor of /proc/self/mountinfo */
export function mountsOf(descriptor: number | undefined): Polled[] {
  return descriptor === undefined ? [] : [{ descriptor, event: 'exceptional' }];
}

/** Of the calls that wait in this thread, which do not overlap. */
const polledBriefly = pollfds([{ descriptor: 0 }]);

/** Waits in this thread, and so for milliseconds only. @returns whether there is something to read */
export function waitBrieflyToRead(descriptor: number, timeoutMs: number): boolean {
  polledBriefly.writeInt32LE(descriptor, 0);
  return Number(pollCall()(polledBriefly, 1, timeoutMs)) > 0;
}
