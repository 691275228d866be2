import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { textVectors } from './text-vector.ts';

const bodySchema = z.object({
  model: z.string(),
  input: z.array(z.string()),
  encoding_format: z.string().optional(),
  dimensions: z.int().optional(),
});

/** How one request is answered instead of with the vectors of its texts. */
export type Scripted =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string> }
  /** Says the key that came with the request in its error. */
  | { readonly kind: 'echo-key' }
  /** Never answers, or begins and does not go on. */
  | { readonly kind: 'hang' | 'hang-in-body' }
  /** One vector too few. */
  | { readonly kind: 'wrong-count' }
  /** A vector with one number more than the others. */
  | { readonly kind: 'other-dimension' }
  | { readonly kind: 'nulls' | 'zeros' | 'base64' | 'broken-json' | 'not-json' | 'error-with-200' }
  | { readonly kind: 'redirect'; readonly to: string };

export interface SeenRequest {
  readonly model: string;
  readonly texts: readonly string[];
  readonly authorization: string | undefined;
  readonly encodingFormat: string | undefined;
  readonly dimensions: number | undefined;
}

export interface EmbeddingServer {
  /** With the version, as `--embeddings-url` takes it. */
  readonly url: string;
  /** All that was asked, in order, also what was answered otherwise. */
  readonly requests: readonly SeenRequest[];
  /** Answers the next requests so, one each. */
  script(...answers: readonly Scripted[]): void;
  /** Texts that hold this are refused (400), with all that is asked along with them. */
  refuse(part: string): void;
  /** Texts that hold this get a vector of nulls, or break the server (500) with all that is asked along with them. */
  breakOver(part: string, how: 'nulls' | 500): void;
  /** How long each answer takes from now on. */
  delay(delayMs: number): void;
  close(): Promise<void>;
}

/**
 * An OpenAI-compatible API of embeddings on a free port of this machine, whose vectors are those of {@link textVectors}. Vectors come in
 * reverse order, as an API may give them.
 */
export async function startEmbeddingServer(usualDimensions = 256, port = 0): Promise<EmbeddingServer> {
  const vectors = new Map<number, ReturnType<typeof textVectors>>();
  const requests: SeenRequest[] = [];
  const script: Scripted[] = [];
  let delayMs = 0;
  let refused: string | undefined;
  let breaking: { readonly part: string; readonly how: 'nulls' | 500 } | undefined;

  function vectorOf(text: string, dimensions: number): number[] {
    const made = vectors.get(dimensions) ?? textVectors(dimensions);
    vectors.set(dimensions, made);
    return [...made.vectorOf(text)];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const { authorization } = request.headers;
    requests.push({
      model: body.model,
      texts: body.input,
      authorization,
      encodingFormat: body.encoding_format,
      dimensions: body.dimensions,
    });
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const scripted = script.shift();
    const dimensions = body.dimensions ?? usualDimensions;
    const isPoison = (text: string) => breaking !== undefined && text.includes(breaking.part);
    const embeddings: unknown[] = body.input.map((text) => {
      const vector = vectorOf(text, dimensions);
      return isPoison(text) ? vector.map(() => null) : vector;
    });
    const send = (given: readonly unknown[]) => {
      const data = given.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse();
      json(response, 200, { object: 'list', model: body.model, data, usage: { total_tokens: 1 } });
    };
    if (scripted !== undefined) misbehave(response, scripted, authorization, embeddings, send);
    else if (refused !== undefined && body.input.some((text) => text.includes(refused ?? '')))
      json(response, 400, { error: { message: 'input is too long for this model' } });
    else if (breaking?.how === 500 && body.input.some(isPoison))
      json(
        response,
        500,
        { error: { message: 'failed to encode response: unsupported value: NaN' } },
        { 'retry-after-ms': '1' },
      );
    else send(embeddings);
  }

  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/embeddings') {
      json(response, 404, { error: { message: `no such page: ${request.url}` } });
      return;
    }
    answer(request, response).catch((error: unknown) => {
      json(response, 500, { error: { message: String(error) } });
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}/v1`,
    requests,
    script: (...answers) => {
      script.push(...answers);
    },
    refuse(part) {
      refused = part;
    },
    breakOver(part, how) {
      breaking = { part, how };
    },
    delay(newDelayMs) {
      delayMs = newDelayMs;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      for (const made of vectors.values()) made.close();
    },
  };
}

function misbehave(
  response: ServerResponse,
  scripted: Scripted,
  authorization: string | undefined,
  embeddings: readonly unknown[],
  send: (given: readonly unknown[]) => void,
): void {
  const first: unknown = embeddings[0];
  const numbers: unknown[] = Array.isArray(first) ? first : [];
  switch (scripted.kind) {
    case 'status':
      json(response, scripted.status, { error: { message: 'as scripted' } }, scripted.headers);
      return;
    case 'echo-key':
      json(response, 401, { error: { message: `Incorrect API key provided: ${authorization}` } });
      return;
    case 'hang':
      return;
    case 'hang-in-body':
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"data": [');
      return;
    case 'wrong-count':
      send(embeddings.slice(1));
      return;
    case 'other-dimension':
      send([[...numbers, 1], ...embeddings.slice(1)]);
      return;
    case 'nulls':
      send([numbers.map(() => null), ...embeddings.slice(1)]);
      return;
    case 'zeros':
      send([numbers.map(() => 0), ...embeddings.slice(1)]);
      return;
    case 'base64':
      send(embeddings.map(() => 'AACAPwAAgD8='));
      return;
    case 'broken-json':
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"key": "${authorization}", "da`);
      return;
    case 'not-json':
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${authorization}</p>`);
      return;
    case 'error-with-200':
      json(response, 200, { error: { message: 'the provider is overloaded', code: 529 } });
      return;
    case 'redirect':
      response.writeHead(307, { location: scripted.to }).end();
      return;
  }
}

async function bodyOf(request: IncomingMessage): Promise<z.infer<typeof bodySchema>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return bodySchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
}

function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}
