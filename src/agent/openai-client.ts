import type OpenAI from 'openai';
import { ModelError } from '../core/model-error.ts';

/** An OpenAI-compatible API, with the key to use. */
export interface ApiAccess {
  /** The address with the version and without a slash at the end: `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** Undefined if none is needed, as for a server of one's own. */
  readonly apiKey: string | undefined;
}

/** The characters that a header can contain. */
const SENDABLE = /^[\x20-\x7e]+$/;

/** The maximal size of an answer or an error. No model says as much, and an endless answer would fill the memory. */
export const MAX_ANSWER_BYTES = 16 << 20;

/**
 * A client of the API. The library is loaded here, at the first call, since that takes ten megabytes and half the time of a start.
 * Every setting that the library would read from the environment is given, so that the settings of this project count: an organisation, another base
 * URL, a log that shows requests. It does not retry by itself, since it would wait as long as an API says. A redirect is an error: data is only sent
 * to whom the user has named. Its time limit ends when an answer begins, so each request has a signal of its own.
 * @param maxAnswerBytes a longer answer is a ModelError
 * @throws ModelError `barred` for a key that cannot be sent in a request
 */
export async function openAiClient(
  { baseUrl, apiKey }: ApiAccess,
  maxAnswerBytes = MAX_ANSWER_BYTES,
): Promise<OpenAI> {
  if (apiKey !== undefined && !SENDABLE.test(apiKey))
    throw new ModelError('barred', 'the key contains a line break, or a character that no key has');
  const { OpenAI: Client } = await import('openai');
  return new Client({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    fetchOptions: { redirect: 'manual' },
    fetch: async (input, init) => bounded(ofApi(await fetch(input, init), baseUrl), baseUrl, maxAnswerBytes),
    ...(apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
  });
}

/** @throws ModelError `barred` for an answer that is not one of an API: to ask again would not help */
function ofApi(response: Response, baseUrl: string): Response {
  const { status, ok, headers } = response;
  const isElsewhere = status >= 300 && status < 400;
  if (!isElsewhere && !(ok && headers.get('content-type')?.startsWith('text/html'))) return response;
  // Frees the connection. The error is known already.
  response.body?.cancel().catch(() => undefined);
  if (!isElsewhere)
    throw new ModelError('barred', `${baseUrl} answered with a page for browsers, so it is not an API`);
  const location = headers.get('location');
  const url = location !== null && URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined;
  const to = url === undefined ? '' : ` to ${url.origin}${url.pathname}`;
  throw new ModelError('barred', `${baseUrl} answered with a redirect${to}, where nothing is sent`);
}

/** An answer that fails, and frees its connection, when it is longer than that. */
function bounded(response: Response, baseUrl: string, maxBytes: number): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) controller.enqueue(chunk);
      else
        controller.error(
          new ModelError('malformed', `${baseUrl} answered with more than ${maxBytes >> 20} MiB`),
        );
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(count), { status, statusText, headers });
}

const END_MARK = '[DONE]';

/**
 * The parts of an answer as they come. A server that does not stream sends everything as one part. The library's own reader is not used, because it
 * writes parts that are not JSON to standard error, whatever they contain.
 */
export class AnswerParts implements AsyncIterable<unknown> {
  readonly #response: Response;
  /** Whether all of it has arrived, as far as HTTP and the end mark of the stream tell: a connection that is closed early can look like an end. */
  isWhole: boolean;

  constructor(response: Response) {
    this.#response = response;
    this.isWhole = this.#isJson() || response.headers.has('content-length');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    if (this.#isJson()) {
      yield await this.#response.json();
      return;
    }
    let hasEnded = false;
    for await (const text of eventsIn(this.#response)) {
      hasEnded ||= text.startsWith(END_MARK);
      this.isWhole ||= hasEnded;
      // The stream is read to its end, so that the connection can be used again.
      if (hasEnded) continue;
      const part: unknown = JSON.parse(text);
      refuseError(part);
      yield part;
    }
  }

  #isJson(): boolean {
    return this.#response.headers.get('content-type')?.includes('json') ?? false;
  }
}

/** The data of each event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). An event without an end does not count. */
async function* eventsIn(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  let data: string[] = [];
  for await (const line of linesIn(response.body)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
}

/** The lines that end with a line feed, a carriage return, or both. */
async function* linesIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    parts.push(text);
    if (!/[\r\n]/.test(text)) continue;
    const all = parts.join('');
    // The next bytes may begin with the line feed.
    const lines = all.split(/\r\n|\n|\r(?!$)/);
    parts = [lines.pop() ?? ''];
    yield* lines;
  }
  const rest = parts.join('');
  if (rest.endsWith('\r')) yield rest.slice(0, -1);
}

/** Servers report errors within the stream. This is what the library does with them. @throws Error that `apiFailure` recognizes as the API's own */
function refuseError(part: unknown): void {
  if (typeof part !== 'object' || part === null || !('error' in part) || !part.error) return;
  const { error } = part;
  const { message = error, code = undefined } =
    typeof error === 'object' ? (error as { message?: unknown; code?: unknown }) : {};
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  throw Object.assign(new Error(text), { error, code });
}
