import type OpenAI from 'openai';

/** An OpenAI-compatible API, and who asks. */
export interface ApiAccess {
  /** With the version, without a slash at the end: `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** Undefined where none is needed, as for a server of one's own. */
  readonly apiKey: string | undefined;
}

/**
 * A client of the API. The library is loaded here, at the first call, since it takes ten megabytes and half the time of a start.
 *
 * All that it would read from the environment is given, so that it is this project's settings that count: an organisation, another base
 * URL, a log that shows requests. It does not ask again by itself, since it would wait for as long as an API says. A redirect is an error: what is
 * sent goes to whom the user named, and to nobody else. Its time limit ends when an answer begins; so each request has a signal of its own.
 */
export async function openAiClient({ baseUrl, apiKey }: ApiAccess): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    fetchOptions: { redirect: 'error' },
    ...(apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
  });
}

const END_MARK = '[DONE]';

/** The parts of an answer as they come. A server that does not stream gives all of it as one. */
export class AnswerParts implements AsyncIterable<unknown> {
  readonly #response: Response;
  /** Whether all of it came, as far as HTTP and the stream's own mark say it: a connection that is closed early can look like an end. */
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
    const { Stream } = await import('openai/streaming');
    yield* Stream.fromSSEResponse(this.#watched(), new AbortController());
  }

  #isJson(): boolean {
    return this.#response.headers.get('content-type')?.includes('json') ?? false;
  }

  /** The library keeps the mark to itself. */
  #watched(): Response {
    const decoder = new TextDecoder();
    let last = '';
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        const text = last + decoder.decode(bytes, { stream: true });
        this.isWhole ||= text.includes(END_MARK);
        last = text.slice(1 - END_MARK.length);
        controller.enqueue(bytes);
      },
    });
    return new Response(this.#response.body?.pipeThrough(watch), { headers: this.#response.headers });
  }
}
