import { closeSync } from 'node:fs';
import koffi from 'koffi';
import { lastErrno, readNow, systemError, waitToRead, writeNow } from '../../../src/system/libc.ts';
import type { Teardown } from '../../support/temporary.ts';

const AF_UNIX = 1;
const SOCK_SEQPACKET = 5;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;

const socketpair = koffi.load(null).func('int socketpair(int domain, int type, int protocol, uint8_t* ends)');

/** One message of the other side: what a request was answered, or a notice. */
export interface Answered {
  readonly unique: number;
  /** Positive, or 0; of a notice its code. */
  readonly errno: number;
  readonly payload: Buffer;
}

/** Stands for /dev/fuse: what is written at one end is read at the other, message by message. */
export class MessagePair {
  /** For who serves. Non-blocking; whoever was given it closes it. */
  readonly served: number;
  readonly #kernel: number;
  readonly #toClose: number[];

  /** @throws Error with a `code` where there is no descriptor left */
  constructor(t: Teardown) {
    const ends = Buffer.alloc(8);
    if (Number(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends)) < 0) {
      throw systemError(lastErrno(), 'socketpair');
    }
    this.served = ends.readInt32LE(0);
    this.#kernel = ends.readInt32LE(4);
    this.#toClose = [this.#kernel];
    t.teardown(() => this.unmount());
  }

  /** @throws Error with a `code`, such as EAGAIN where the other side does not read */
  ask(message: Uint8Array): void {
    if (writeNow(this.#kernel, message, message.length) < 0) throw systemError(lastErrno(), 'write');
  }

  /** All that lies ready. */
  answers(): Answered[] {
    const found: Answered[] = [];
    const message = Buffer.alloc(1 << 18);
    for (;;) {
      const sizeBytes = readNow(this.#kernel, message, message.length);
      if (sizeBytes <= 0) return found;
      if (message.readUInt32LE(0) !== sizeBytes) throw new Error('the length of an answer is wrong');
      found.push({
        unique: Number(message.readBigUInt64LE(8)),
        errno: -message.readInt32LE(4),
        payload: Buffer.from(message.subarray(16, sizeBytes)),
      });
    }
  }

  /** Waits for as many answers. */
  async waitFor(count: number): Promise<Answered[]> {
    const found: Answered[] = [];
    while (found.length < count) {
      await waitToRead(this.#kernel);
      found.push(...this.answers());
    }
    return found;
  }

  /** The other side reads the end of the connection. */
  unmount(): void {
    for (const end of this.#toClose.splice(0)) closeSync(end);
  }
}

/** A request as the kernel words it. */
export function requestOf(opcode: number, unique: number, body: Uint8Array = Buffer.alloc(0)): Buffer {
  const message = Buffer.alloc(40 + body.length);
  message.writeUInt32LE(message.length, 0);
  message.writeUInt32LE(opcode, 4);
  message.writeBigUInt64LE(BigInt(unique), 8);
  message.writeBigUInt64LE(1n, 16);
  message.set(body, 40);
  return message;
}
