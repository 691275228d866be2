import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** A longer message is no message; what a tool writes has a million characters at most. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

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

/** The SDK's transport, which knows what is not answered yet, and answers what is no message. */
class PatientTransport implements Transport {
  readonly #inner: StdioServerTransport;
  readonly #output: Writable;
  readonly #asked = new Set<RequestId>();
  #sent = Promise.resolve();
  #whenAnswered: (() => void) | undefined;
  #whenEnded: (() => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    this.#inner = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
    this.#inner.onmessage = (message) => this.#received(message);
    this.#inner.onerror = (error) => this.#failed(error);
    this.#inner.onclose = () => {
      this.#whenEnded?.();
      this.onclose?.();
    };
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

  start(): Promise<void> {
    return this.#inner.start();
  }

  /** One after the other: each that the output cannot take yet would wait for it with a listener of its own. */
  async send(message: JSONRPCMessage): Promise<void> {
    const send = (): Promise<void> => this.#inner.send(message);
    // One that fails is its sender's, and keeps nobody behind it from being sent.
    this.#sent = this.#sent.then(send, send);
    await this.#sent;
    if ('id' in message && !('method' in message) && message.id !== undefined) {
      this.#asked.delete(message.id);
      this.#look();
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #received(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#asked.add(message.id);
    const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    // What was cancelled is not answered.
    if (cancelled !== undefined) this.#asked.delete(cancelled);
    this.onmessage?.(message);
    this.#look();
  }

  /** JSON-RPC 2.0, 5.1: what cannot be read is answered without the number of a request. */
  #failed(error: Error): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: wordsFor(error) })}\n`);
    this.onerror?.(error);
  }

  #look(): void {
    if (this.#asked.size === 0) this.#whenAnswered?.();
  }
}

function wordsFor(error: Error): { code: ErrorCode; message: string } {
  if (error instanceof SyntaxError) return { code: ErrorCode.ParseError, message: 'this line is no JSON' };
  if (error.name === 'ZodError') {
    return { code: ErrorCode.InvalidRequest, message: 'this is no message of JSON-RPC 2.0' };
  }
  // Too long a message, or an input that cannot be read: the transport ends itself, and the client is to know why.
  return { code: ErrorCode.InternalError, message: `the connection ends: ${error.message}` };
}
