import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server as NodeServer,
  type ServerResponse,
} from 'node:http';
import { setTimeout } from 'node:timers';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { EXIT, reasonOf, UserError } from '../../core/errors.ts';
import { readBody } from './body.ts';
import { guardOf, type Refusal } from './guard.ts';
import { type HttpSession, type SessionLimits, Sessions } from './sessions.ts';
import { Strangers } from './strangers.ts';

export interface HttpOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly token: string;
  /** Origins of web pages that are allowed, besides those of this server itself. */
  readonly origins: readonly string[];
  /** Makes the server for one client. */
  readonly open: () => Server;
  /** Is told of bugs. */
  readonly onFault: (error: unknown) => void;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpLimits extends SessionLimits {
  readonly bodyBytes: number;
  /** The maximal number of connections that have not shown a token yet. */
  readonly strangers: number;
  /** The maximal number of all connections. */
  readonly connections: number;
  /** The time within which a new connection has to show the token, and the headers of each request have to arrive. */
  readonly headersMs: number;
  /** The time within which a whole request has to arrive. */
  readonly requestMs: number;
}

export interface OpenHttp {
  /** The address for clients, with the path. */
  readonly url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';
const METHODS = ['POST', 'GET', 'DELETE'];
const HOST = '127.0.0.1';
const LOOK_EVERY_MS = 500;
const LINGER_MS = 1000;

const DEFAULT_LIMITS: HttpLimits = {
  most: 64,
  idleMs: 30 * 60_000,
  // A tool can write a million characters, each of which may take six bytes in JSON.
  bodyBytes: 8 * 1024 * 1024,
  strangers: 64,
  connections: 512,
  headersMs: 5000,
  requestMs: 30_000,
};

const TOO_LARGE: Refusal = { status: 413, message: 'the body is too large' };
const NO_JSON: Refusal = { status: 400, message: 'the body is not JSON' };
const NO_SESSION: Refusal = {
  status: 404,
  message: 'there is no such session, or no longer; begin another with initialize',
};
const FULL: Refusal = {
  status: 503,
  message: 'too many clients are at work',
  headers: { 'retry-after': '10' },
};

/**
 * Serves clients by streamable HTTP, on this machine only.
 * @throws UserError if the port is not available
 */
export async function openHttp(options: HttpOptions): Promise<OpenHttp> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const sessions = new Sessions(options.open, limits);
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: LOOK_EVERY_MS,
  });
  server.maxConnections = limits.connections;
  const strangers = new Strangers(server, limits);
  const port = await listen(server, options.port);
  const guard = guardOf({ port, token: options.token, origins: options.origins });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf(request, guard);
    if (refusal !== undefined) return refuse(response, refusal);
    strangers.isKnown(request.socket);
    serve(request, response, sessions, limits).catch((error: unknown) => {
      // The client left before its request had arrived.
      if (request.errored !== null && request.errored === error) return;
      options.onFault(error);
      refuse(response, { status: 500, message: 'kgraphfs failed here' });
    });
  });
  return {
    url: `http://${HOST}:${port}${PATH}`,
    async close() {
      await sessions.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: NodeServer, port: number): Promise<number> {
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UserError(
      `port ${port} of ${HOST} cannot be used: ${reasonOf(error)}; choose another`,
      EXIT.failed,
      {
        cause: error,
      },
    );
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function refusalOf({ url = '', method = '', headers }: IncomingMessage, guard: ReturnType<typeof guardOf>) {
  const refusal = guard(headers);
  if (refusal !== undefined) return refusal;
  if (url.split('?', 1)[0] !== PATH) return { status: 404, message: `clients send requests to ${PATH}` };
  if (METHODS.includes(method)) return undefined;
  return { status: 405, message: `${METHODS.join(', ')}`, headers: { allow: METHODS.join(', ') } };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Sessions,
  { bodyBytes }: HttpLimits,
): Promise<void> {
  const body = request.method === 'POST' ? await readBody(request, bodyBytes) : undefined;
  if (body?.kind === 'too large') return refuse(response, TOO_LARGE);
  if (body?.kind === 'no json') return refuse(response, NO_JSON);
  const id = request.headers['mcp-session-id'];
  const session = typeof id === 'string' ? sessions.get(id) : await begun(body?.value, sessions);
  if (session === 'full') return refuse(response, FULL);
  if (session === undefined)
    return refuse(
      response,
      id === undefined ? { status: 400, message: 'begin with initialize' } : NO_SESSION,
    );
  await answer(session, request, response, body?.value);
}

async function begun(body: unknown, sessions: Sessions): Promise<HttpSession | 'full' | undefined> {
  if (![body].flat().some(isInitializeRequest)) return undefined;
  return (await sessions.begin()) ?? 'full';
}

async function answer(
  session: HttpSession,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  session.running += 1;
  response.once('close', () => {
    session.running -= 1;
    session.usedMs = performance.now();
  });
  await session.transport.handleRequest(request, response, body);
}

/**
 * Answers, and ends the connection. A client that is refused may still be sending: what arrives is discarded for a moment, since the kernel would
 * withdraw the answer if the connection were closed at once.
 */
function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  const { req: request, socket } = response;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } });
  const ending = request.complete ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...ending, ...headers });
  response.end(body);
  if (request.complete) return;
  request.resume();
  setTimeout(() => socket?.destroy(), LINGER_MS).unref();
}
