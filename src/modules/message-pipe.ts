import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** The descriptor in the process of a module: the first one after its standard streams. */
export const MESSAGE_DESCRIPTOR = 3;
/** The size of the header of each message, which contains the number of its bytes. */
const HEADER_BYTES = 4;
/** More than any message needs, be it 50,000 names of 255 letters of two bytes each, or a file of 16 MiB. */
const MAX_MESSAGE_BYTES = 64 << 20;

export interface MessagePipeOptions {
  readonly socket: Socket;
  readonly onMessage: (message: unknown) => void;
  /** Called at most once, if something arrived that is no message. Nothing is read after that. */
  readonly onNonsense: (reason: string) => void;
}

/**
 * One end of the pipe between the process of a module and its host. This is not the channel of child_process.fork: that throws where nobody can catch
 * it if something arrives that is no message, and any code that runs in the process of a module can write to its descriptor.
 */
export class MessagePipe {
  readonly #options: MessagePipeOptions;
  #chunks: Buffer[] = [];
  #receivedBytes = 0;
  /** The size of the message that is arriving; undefined until its header is here. */
  #messageBytes: number | undefined;

  constructor(options: MessagePipeOptions) {
    this.#options = options;
    options.socket.on('data', (chunk) => this.#receive(chunk));
    // The other end has exited or closed the pipe. Both are noticed elsewhere.
    options.socket.on('error', () => {});
  }

  /** @param onSent called even if the other end is closed @throws DataCloneError if the message contains something that cannot be sent, such as a function */
  send(message: unknown, onSent?: () => void): void {
    const { socket } = this.#options;
    if (!socket.writable) {
      onSent?.();
      return;
    }
    const body = serialize(message);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32BE(body.length);
    socket.cork();
    socket.write(header);
    socket.write(body, onSent);
    socket.uncork();
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#receivedBytes += chunk.length;
    for (;;) {
      if (this.#messageBytes === undefined) {
        const header = this.#take(HEADER_BYTES);
        if (header === undefined) return;
        this.#messageBytes = header.readUInt32BE();
        if (this.#messageBytes > MAX_MESSAGE_BYTES) {
          this.#giveUp('what it sent is longer than any message');
          return;
        }
      }
      const body = this.#take(this.#messageBytes);
      if (body === undefined) return;
      this.#messageBytes = undefined;
      let message: unknown;
      try {
        message = deserialize(body);
      } catch {
        // The other end may run anybody's code, so nothing is expected of its bytes.
        this.#giveUp('what it sent is not a message');
        return;
      }
      this.#options.onMessage(message);
    }
  }

  /** @returns the next bytes; undefined if they are not all here yet */
  #take(sizeBytes: number): Buffer | undefined {
    if (this.#receivedBytes < sizeBytes) return undefined;
    const [first] = this.#chunks;
    const all = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = all.length > sizeBytes ? [all.subarray(sizeBytes)] : [];
    this.#receivedBytes -= sizeBytes;
    return all.subarray(0, sizeBytes);
  }

  #giveUp(reason: string): void {
    this.#chunks = [];
    this.#options.socket.destroy();
    this.#options.onNonsense(reason);
  }
}
