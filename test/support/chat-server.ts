import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  stream: z.boolean().optional(),
});

const resultSchema = z.record(z.string(), z.unknown());

export type SeenChat = z.infer<typeof bodySchema> & { readonly authorization: string | undefined };

/** One answer of the model, or what happens instead. */
export type ScriptedReply =
  | { readonly text: string; readonly slowMs?: number; readonly usage?: Readonly<Record<string, number>> }
  | { readonly calls: readonly { readonly name: string; readonly args: unknown }[]; readonly text?: string }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly message?: string }
  /** A body as it is, not streamed. */
  | { readonly whole: unknown }
  /** What a streamed answer is made of, as it is. */
  | { readonly parts: readonly unknown[]; readonly isCutOff?: boolean }
  /** The stream as it is, again and again where it is to have no end. */
  | { readonly raw: string; readonly isEndless?: boolean }
  | { readonly kind: 'hang' | 'break-off' | 'not-json' | 'nothing' | 'echo-key' };

export interface ChatServer {
  /** With the version. */
  readonly url: string;
  readonly requests: readonly SeenChat[];
  /** Answers the next requests so, one each; a function is asked what it makes of the request. */
  script(...replies: readonly (ScriptedReply | ((seen: SeenChat) => ScriptedReply))[]): void;
  /** Answers so whatever nothing was scripted for. */
  otherwise(reply: (seen: SeenChat) => ScriptedReply): void;
  close(): Promise<void>;
}

/** What the last calls gave, as the model is shown it. */
export function toolResults({ messages }: Pick<SeenChat, 'messages'>): Readonly<Record<string, unknown>>[] {
  const after = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return after.flatMap(({ role, content }) => {
    const [, json] = /^<data \w+ from="[^"]*">\n(.*)\n<\/data \w+>$/s.exec(String(content)) ?? [];
    return role === 'tool' && json !== undefined ? [resultSchema.parse(JSON.parse(json))] : [];
  });
}

/** An OpenAI-compatible API of chat completions on a free port of this machine, that says what it is told to. */
export async function startChatServer(): Promise<ChatServer> {
  const requests: SeenChat[] = [];
  const script: (ScriptedReply | ((seen: SeenChat) => ScriptedReply))[] = [];
  let byDefault = (_seen: SeenChat): ScriptedReply => ({ text: 'nothing was scripted' });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = bodySchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
    const seen = { ...body, authorization: request.headers.authorization };
    requests.push(seen);
    const next = script.shift() ?? byDefault;
    await send(response, typeof next === 'function' ? next(seen) : next, seen);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    script: (...replies) => {
      script.push(...replies);
    },
    otherwise: (reply) => {
      byDefault = reply;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const USAGE = { prompt_tokens: 100, completion_tokens: 10, cost: 0.001 };

async function send(response: ServerResponse, reply: ScriptedReply, seen: SeenChat): Promise<void> {
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify({ error: { message: reply.message ?? 'as scripted' } }));
    return;
  }
  if ('whole' in reply) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.whole));
    return;
  }
  if ('kind' in reply) return misbehave(response, reply.kind, seen);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if ('raw' in reply) {
    // Until the other side has had enough.
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    while (reply.isEndless && !gone.signal.aborted) {
      if (!response.write(reply.raw)) await once(response, 'drain', { signal: gone.signal }).catch(() => {});
    }
    response.end(reply.raw);
    return;
  }
  if ('parts' in reply) {
    for (const part of reply.parts) event(response, part);
    response.end(reply.isCutOff ? '' : 'data: [DONE]\n\n');
    return;
  }
  if ('text' in reply && reply.text !== undefined) {
    for (const part of reply.text.match(/.{1,12}/gsu) ?? []) {
      // Whoever has stopped listening is told nothing more.
      if (response.destroyed) return;
      event(response, { choices: [{ index: 0, delta: { content: part } }] });
      if ('slowMs' in reply && reply.slowMs) await pause(reply.slowMs);
    }
  }
  if ('calls' in reply) {
    for (const [index, { name, args }] of reply.calls.entries()) {
      const text = typeof args === 'string' ? args : JSON.stringify(args);
      const half = Math.ceil(text.length / 2);
      const head = {
        index,
        id: `call_${index}`,
        type: 'function',
        function: { name, arguments: text.slice(0, half) },
      };
      event(response, { choices: [{ index: 0, delta: { tool_calls: [head] } }] });
      const tail = { index, function: { arguments: text.slice(half) } };
      event(response, { choices: [{ index: 0, delta: { tool_calls: [tail] } }] });
    }
  }
  const usage = 'usage' in reply && reply.usage !== undefined ? reply.usage : USAGE;
  event(response, { choices: [], usage });
  response.end('data: [DONE]\n\n');
}

function misbehave(
  response: ServerResponse,
  kind: 'hang' | 'break-off' | 'not-json' | 'nothing' | 'echo-key',
  seen: SeenChat,
): void {
  if (kind === 'hang') return;
  if (kind === 'echo-key') {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${seen.authorization}` } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (kind === 'not-json') response.end('data: {"choices": [\n\n');
  else if (kind === 'nothing') response.end('data: [DONE]\n\n');
  else {
    event(response, { choices: [{ index: 0, delta: { content: 'half of an' } }] });
    setTimeout(() => response.destroy(), 20);
  }
}

function event(response: ServerResponse, data: unknown): void {
  response.write(`data: ${JSON.stringify(data)}\n\n`);
}
