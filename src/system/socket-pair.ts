import { closeSync } from 'node:fs';
import { type CFunction, koffi } from './koffi.ts';
import { AF_UNIX, lastErrno, SOCK_CLOEXEC, SOCK_STREAM, systemError } from './libc.ts';

/**
 * Two ends of a Unix socket over which a child process can hand us a descriptor, see `SCM_RIGHTS` in unix(7). Node has no way to receive one. The numbers are
 * those of Linux on all machines that Node runs on.
 */
export interface SocketPair {
  /** The end to keep. Closed on exec. */
  readonly ours: number;
  /** The end to hand on to a child. Closed on exec unless `spawn` is told to pass it. */
  readonly theirs: number;
}

const SOL_SOCKET = 1;
const SCM_RIGHTS = 1;
const MSG_DONTWAIT = 0x40;
const MSG_CMSG_CLOEXEC = 0x40000000;

/** `struct cmsghdr` of a 64-bit system: length, level, type; then the descriptor. */
const CONTROL_HEADER_BYTES = 16;
const CONTROL_BYTES = 64;

interface Calls {
  readonly socketpair: CFunction;
  readonly recvmsg: CFunction;
}

let loaded: Calls | undefined;

function calls(): Calls {
  loaded ??= loadCalls();
  return loaded;
}

function loadCalls(): Calls {
  const { inout, load, pointer, struct } = koffi();
  const buffers = struct({ base: 'uint8_t*', size: 'size_t' });
  const message = struct({
    name: 'void*',
    nameSize: 'uint32_t',
    buffers: pointer(buffers),
    bufferCount: 'size_t',
    control: 'uint8_t*',
    controlSize: 'size_t',
    flags: 'int',
  });
  const library = load(null);
  return {
    socketpair: library.func('socketpair', 'int', ['int', 'int', 'int', 'uint8_t*']),
    recvmsg: library.func('recvmsg', 'int64_t', ['int', inout(pointer(message)), 'int']),
  };
}

/** @throws Error with a `code` if there is no descriptor left */
export function openSocketPair(): SocketPair {
  const ends = Buffer.alloc(8);
  if (calls().socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
    throw systemError(lastErrno(), 'socketpair');
  }
  return { ours: ends.readInt32LE(0), theirs: ends.readInt32LE(4) };
}

/**
 * Receives a descriptor that has arrived at an end. It never waits.
 * @returns the descriptor, closed on exec; undefined if none was sent
 * @throws Error with a `code` if the socket cannot be read
 */
export function receiveDescriptor(socket: number): number | undefined {
  const control = Buffer.alloc(CONTROL_BYTES);
  const received = {
    name: null,
    nameSize: 0,
    buffers: { base: Buffer.alloc(1), size: 1 },
    bufferCount: 1,
    control,
    controlSize: control.length,
    flags: 0,
  };
  const sizeBytes = Number(calls().recvmsg(socket, received, MSG_DONTWAIT | MSG_CMSG_CLOEXEC));
  if (sizeBytes < 0) {
    const error = systemError(lastErrno(), 'recvmsg');
    if (error.code === 'EAGAIN') return undefined;
    throw error;
  }
  const isDescriptor =
    Number(received.controlSize) >= CONTROL_HEADER_BYTES + 4 &&
    control.readInt32LE(8) === SOL_SOCKET &&
    control.readInt32LE(12) === SCM_RIGHTS;
  return isDescriptor ? control.readInt32LE(CONTROL_HEADER_BYTES) : undefined;
}

export function closeSocketPair({ ours, theirs }: SocketPair): void {
  closeSync(ours);
  closeSync(theirs);
}
