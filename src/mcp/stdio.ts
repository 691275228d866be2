import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** A longer message is an error: what a tool writes has at most a million characters. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 10;

/**
 * Serves one client by standard input and output, until the client closes its side or the signal is aborted. Requests from before the end of the
 * input are answered first, so that a caller who pipes a few requests in gets all answers.
 */
export async function serveStdio(
  server: Server,
  {
    input,
    output,
    signal,
  }: { readonly input: Readable; readonly output: Writable; readonly signal: AbortSignal },
): Promise<void> {
  const transport = new PatientTransport(input, output);
  const ended = new Promise<void>((resolve) => {
    const end = () => void transport.answered().then(resolve);
    input.once('end', end).once('error', end);
    // A client that does not read any more has no use for answers.
    output.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    transport.onEnd(resolve);
  });
  await server.connect(transport);
  await ended;
  await server.close();
}

/** Messages as lines. It knows which requests were not answered yet, and answers lines that are not messages. */
class PatientTransport implements Transport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #asked = new Set<RequestId>();
  readonly #onData = (chunk: Buffer) => this.#take(chunk);
  readonly #onError = (error: Error) => this.#failed(error);
  /** The parts of a line whose end has not arrived yet. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #sent = Promise.resolve();
  #whenAnswered: (() => void) | undefined;
  #whenEnded: (() => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  /** Resolves when all requests are answered. */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenAnswered = resolve;
      this.#look();
    });
  }

  onEnd(listener: () => void): void {
    this.#whenEnded = listener;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData).on('error', this.#onError);
  }

  /** Messages are written one after the other: otherwise each one that the output cannot take yet would wait with a listener of its own. */
  async send(message: JSONRPCMessage): Promise<void> {
    const write = (): Promise<void> => this.#write(message);
    // An error goes to the sender of the message, and does not prevent later ones from being sent.
    this.#sent = this.#sent.then(write, write);
    await this.#sent;
    if ('id' in message && !('method' in message) && message.id !== undefined) {
      this.#asked.delete(message.id);
      this.#look();
    }
  }

  async close(): Promise<void> {
    this.#input.off('data', this.#onData).off('error', this.#onError).pause();
    this.#begun = [];
    this.#begunBytes = 0;
    this.#whenEnded?.();
    this.onclose?.();
  }

  /** Resolves when the output takes more. */
  #write(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.#output.once('drain', resolve);
    });
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const line = Buffer.concat([...this.#begun, chunk.subarray(start, end)]).toString();
      this.#begun = [];
      this.#begunBytes = 0;
      start = end + 1;
      this.#read(line);
    }
    this.#begun.push(chunk.subarray(start));
    this.#begunBytes += chunk.byteLength - start;
    if (this.#begunBytes <= MAX_MESSAGE_BYTES) return;
    this.#failed(new Error(`a message has at most ${MAX_MESSAGE_BYTES} bytes`));
    void this.close();
  }

  /** An empty line means nothing, and is not answered. */
  #read(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#refuse(error, null, { code: ErrorCode.ParseError, message: 'this line is not JSON' });
      return;
    }
    const { data, error } = JSONRPCMessageSchema.safeParse(value);
    if (data !== undefined) this.#received(data);
    else
      this.#refuse(error, askedAs(value), {
        code: ErrorCode.InvalidRequest,
        message: 'this is not a message of JSON-RPC 2.0',
      });
  }

  #received(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#asked.add(message.id);
    const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    // A cancelled request is not answered.
    if (cancelled !== undefined) this.#asked.delete(cancelled);
    this.onmessage?.(message);
    this.#look();
  }

  /** A message is too long, or the input cannot be read: the transport ends, and the client is told why. */
  #failed(error: Error): void {
    const message = `the connection ends: ${error.message}`;
    this.#refuse(error, null, { code: ErrorCode.InternalError, message });
  }

  #refuse(
    cause: unknown,
    id: string | number | null,
    error: { readonly code: ErrorCode; readonly message: string },
  ): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
    this.onerror?.(cause instanceof Error ? cause : new Error(error.message));
  }

  #look(): void {
    if (this.#asked.size === 0) this.#whenAnswered?.();
  }
}

/**
 * The id to answer an invalid message with (JSON-RPC 2.0, 5): that of the request, as far as it can be read. A response of the client, valid or not,
 * has the id of a request of the server, and is answered without one.
 */
function askedAs(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  if ('result' in value || 'error' in value) return null;
  const { id } = value;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
