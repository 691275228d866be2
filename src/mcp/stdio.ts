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

/** A longer message is no message; what a tool writes has a million characters at most. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 10;

/**
 * Serves one client by standard input and output, until the client ends its side or the signal is aborted. What was asked before the end of the input is
 * answered first: who pipes a few requests in gets all answers.
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
    // A client that no longer reads has no use for answers.
    output.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    transport.onEnd(resolve);
  });
  await server.connect(transport);
  await ended;
  await server.close();
}

/** Messages as lines. It knows what is not answered yet, and answers what is no message. */
class PatientTransport implements Transport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #asked = new Set<RequestId>();
  readonly #onData = (chunk: Buffer) => this.#take(chunk);
  readonly #onError = (error: Error) => this.#failed(error);
  /** Of a line whose end has not come yet. */
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

  /** Resolves when nothing is left to be answered. */
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

  /** One after the other: each that the output cannot take yet would wait for it with a listener of its own. */
  async send(message: JSONRPCMessage): Promise<void> {
    const write = (): Promise<void> => this.#write(message);
    // One that fails is its sender's, and keeps nobody behind it from being sent.
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

  /** An empty line says nothing, and is not answered. */
  #read(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#refuse(error, null, { code: ErrorCode.ParseError, message: 'this line is no JSON' });
      return;
    }
    const { data, error } = JSONRPCMessageSchema.safeParse(value);
    if (data !== undefined) this.#received(data);
    else
      this.#refuse(error, askedAs(value), {
        code: ErrorCode.InvalidRequest,
        message: 'this is no message of JSON-RPC 2.0',
      });
  }

  #received(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#asked.add(message.id);
    const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    // What was cancelled is not answered.
    if (cancelled !== undefined) this.#asked.delete(cancelled);
    this.onmessage?.(message);
    this.#look();
  }

  /** Too long a message, or an input that cannot be read: the transport ends, and the client is to know why. */
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
 * JSON-RPC 2.0, 5: what is no request is answered by its number, as far as that can be read. An answer, right or wrong, has the number of what the
 * server asked, and is answered without one.
 */
function askedAs(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  if ('result' in value || 'error' in value) return null;
  const { id } = value;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
