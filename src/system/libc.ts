import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { type CFunction, koffi } from './koffi.ts';

/**
 * System calls that Node has no function for, called in the C library of this process. Section 2 of the man pages says what each one does. Functions that are
 * `checked` throw errors with a `code`, as `node:fs` does. The others return a negative number and leave the reason in {@link lastErrno}: they are for hot
 * paths where failing is common.
 */

/** Second names of an errno. The name that Node's errors have is the one to keep. */
const SECOND_NAMES = new Set(['EWOULDBLOCK', 'EOPNOTSUPP']);

const CODES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno)
    .filter(([name]) => !SECOND_NAMES.has(name))
    .map(([name, number]) => [number, name]),
);

/** `errno(3)` of the last failed call of this thread. */
export function lastErrno(): number {
  return koffi().errno();
}

/** The error to throw for a call that failed with this errno. */
export function systemError(errno: number, syscall: string): NodeJS.ErrnoException {
  const code = CODES.get(errno) ?? `errno ${errno}`;
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, errno: -errno });
}

type Parameter = number | bigint | string | Uint8Array;

/**
 * Binds a function of the C library that returns a negative number if it fails.
 * @param prototype in C. Its result has to be a type that a double holds exactly
 */
export function unchecked<P extends readonly Parameter[]>(prototype: string): (...parameters: P) => number {
  let call: ((...parameters: P) => number | bigint) | undefined;
  return (...parameters) => {
    call ??= koffi().load(null).func(prototype);
    return Number(call(...parameters));
  };
}

/** Binds a function of the C library so that it throws if it fails. @param prototype as in {@link unchecked} */
export function checked<P extends readonly Parameter[]>(prototype: string): (...parameters: P) => number {
  const call = unchecked<P>(prototype);
  const syscall = /(\w+)\(/.exec(prototype)?.[1] ?? prototype;
  return (...parameters) => {
    const result = call(...parameters);
    if (result < 0) throw systemError(lastErrno(), syscall);
    return result;
  };
}

/** read(2) into a buffer, up to its size. */
export const readNow = unchecked<[descriptor: number, target: Uint8Array, sizeBytes: number]>(
  'int64_t read(int descriptor, uint8_t* target, size_t size)',
);

/** _exit(2): ends the process at once. exit(3) would wait for the threads of libuv's pool, and so for what they wait for. */
export const exitNow = unchecked<[status: number]>('void _exit(int status)');

/** sched_yield(2): lets others that wait for this core have it first, if the kernel sees fit. */
export const giveWay = unchecked<[]>('int sched_yield()');

/** write(2). */
export const writeNow = unchecked<[descriptor: number, bytes: Uint8Array, sizeBytes: number]>(
  'int64_t write(int descriptor, uint8_t* bytes, size_t size)',
);

/** fcntl(2) with a number as its argument. */
export const controlDescriptor = checked<[descriptor: number, command: number, argument: number]>(
  'int fcntl(int descriptor, int command, int argument)',
);

/** ioctl(2), for requests that take a structure. */
export const ioctl = unchecked<[descriptor: number, request: number, argument: Uint8Array]>(
  'int ioctl(int descriptor, uint64_t request, uint8_t* argument)',
);

/** A flag from fcntl.h, for calls that take a name and the folder it lies in. */
export const AT_SYMLINK_NOFOLLOW = 0x100;
export const AT_EMPTY_PATH = 0x1000;

/** Commands of fcntl(2), from fcntl.h. */
export const F_SETFD = 2;
export const F_GETFL = 3;
export const F_SETFL = 4;

/** Closed on exec: a flag of open(2) and of F_SETFD, from fcntl.h. Node has no name for it. */
export const O_CLOEXEC = 0o2000000;
export const FD_CLOEXEC = 1;
/** Numbers from sys/socket.h. */
export const AF_UNIX = 1;
export const SOCK_STREAM = 1;
export const SOCK_CLOEXEC = 0o2000000;

const makePipe = checked<[ends: Uint8Array, flags: number]>('int pipe2(uint8_t* ends, int flags)');

/** Makes a pipe(7), with both ends closed on exec. @throws Error EMFILE */
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

/** The size of a `struct pollfd`: the descriptor, the events to wait for, and those that came. */
const POLLFD_BYTES = 8;
const POLLIN = 1;
const POLLPRI = 2;

/** A descriptor and the event to wait for. */
export interface Polled {
  readonly descriptor: number;
  /** Default: there is something to read. `exceptional` is the event of a descriptor of /proc/self/mountinfo when the table of mounts changes. */
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

/** The end of a pipe that is hung up when this process exits. The exit waits for the threads of the pool, so those must not wait on. */
function exitOfProcess(): number {
  if (exitPipe !== undefined) return exitPipe;
  const { toRead, toWrite } = openPipe();
  process.once('exit', () => closeSync(toWrite));
  exitPipe = toRead;
  return exitPipe;
}

/** Buffers that poll(2) writes to in another thread. Nothing else keeps them from being collected. */
const polling = new Set<Buffer>();

/**
 * Waits until one of some descriptors has its event, or its other end is gone; a signal may end it earlier. It waits in a thread of libuv's pool, of which
 * there are few.
 * @returns for each descriptor whether that is so
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
 * Waits, in its own thread of libuv's pool, until there is something to read, or the other end is gone; a signal may end it earlier.
 * @param mounts a descriptor of /proc/self/mountinfo. A change of the table of mounts ends the wait, too, each change once
 * @returns whether the table of mounts has changed
 */
export async function waitToRead(descriptor: number, mounts?: number): Promise<boolean> {
  const [, areMountsOthers = false] = await pollLater([{ descriptor }, ...mountsOf(mounts)]);
  return areMountsOthers;
}

/** What to wait for to learn of mounts. @param descriptor of /proc/self/mountinfo */
export function mountsOf(descriptor: number | undefined): Polled[] {
  return descriptor === undefined ? [] : [{ descriptor, event: 'exceptional' }];
}

/** Whether a descriptor has its event now; poll(2) without waiting. */
export function hasEventNow(polled: Polled): boolean {
  return Number(pollCall()(pollfds([polled]), 1, 0)) !== 0;
}

/** The structure for calls that wait in this thread, which do not overlap. */
const polledBriefly = pollfds([{ descriptor: 0 }]);

/** Waits in this thread, so it is meant for milliseconds only. @returns whether there is something to read */
export function waitBrieflyToRead(descriptor: number, timeoutMs: number): boolean {
  polledBriefly.writeInt32LE(descriptor, 0);
  return Number(pollCall()(polledBriefly, 1, timeoutMs)) > 0;
}
