import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import t from 'tap';
import { type HttpLimits, type OpenHttp, openHttp } from '../../src/mcp/http/http-server.ts';
import { openServer } from '../../src/mcp/server.ts';
import type { Teardown } from '../support/temporary.ts';
import { type SampleProject, sampleProject } from './sample-project.ts';

const TOKEN = 'a-token-of-these-tests';
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});
/** Long enough for a client to begin on a machine that is at work. */
const IDLE_MS = 1000;
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface Serving extends SampleProject {
  readonly http: OpenHttp;
  readonly port: number;
  readonly failures: unknown[];
}

async function serving(
  t: Teardown,
  limits: Partial<HttpLimits> = {},
  origins: readonly string[] = [],
): Promise<Serving> {
  const project = await sampleProject(t);
  const failures: unknown[] = [];
  const http = await openHttp({
    port: 0,
    token: TOKEN,
    origins,
    open: () => openServer(project.options),
    onFault: (error) => failures.push(error),
    limits,
  });
  t.teardown(() => http.close());
  return { ...project, http, port: Number(new URL(http.url).port), failures };
}

async function client(t: Teardown, { http }: Serving, token = TOKEN): Promise<Client> {
  const one = new Client({ name: 'over-http', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers } });
  // The SDK declares the number of a session as one that may be undefined, and its interface as one that may be absent.
  Object.defineProperty(transport, 'onclose', { writable: true, value: undefined });
  await one.connect(transport);
  t.teardown(() => one.close());
  return one;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** As fetch, which sets some headers itself. */
async function ask(
  { port }: Pick<Serving, 'port'>,
  {
    method = 'POST',
    path = '/mcp',
    headers = {},
    body = INITIALIZE,
  }: {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
  } = {},
): Promise<Answer> {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { ...JSON_HEADERS, ...headers },
    agent: false,
  });
  request.end(method === 'POST' ? body : undefined);
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

t.test('a client with the token asks, subscribes and leaves, as by stdio', async (t) => {
  const served = await serving(t);
  const one = await client(t, served);
  t.match(await one.callTool({ name: 'navigate', arguments: { node: 'Charge' } }), {
    structuredContent: { node: 'Charge' },
  });
  t.match(served.calls, [{ tool: 'navigate', context: { caller: { name: 'over-http' } } }]);
  const uri = 'kgraphfs:///context/memory/fact/f';
  const told = new Promise((resolve) =>
    one.setNotificationHandler(ResourceUpdatedNotificationSchema, resolve),
  );
  await one.subscribeResource({ uri });
  served.app.memory.add({ type: 'fact', key: 'f', content: Buffer.from('x') }, {});
  t.match(await told, { params: { uri } });
  const other = await client(t, served);
  t.equal((await other.listTools()).tools.length, 16);
  t.same(served.failures, []);
});

t.test(
  'another host name, another origin, no token and a wrong one are refused before anything is read',
  async (t) => {
    const served = await serving(t, {}, ['http://localhost:6274']);
    const { port } = served;
    const refused = async (status: number, headers: Record<string, string>) =>
      t.match(await ask(served, { headers }), { status }, JSON.stringify(headers).slice(0, 100));
    await refused(403, { ...AUTHORIZATION, host: `evil.example:${port}` });
    await refused(403, { ...AUTHORIZATION, host: '127.0.0.1' });
    await refused(403, { ...AUTHORIZATION, host: `127.0.0.1.evil.example:${port}` });
    for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${port}`, 'http://localhost:1'])
      await refused(403, { ...AUTHORIZATION, origin });
    await refused(401, {});
    for (const authorization of [
      'Bearer',
      'Bearer ',
      `Bearer ${TOKEN}x`,
      `Basic ${TOKEN}`,
      TOKEN,
      'Bearer é',
    ])
      await refused(401, { authorization: Buffer.from(authorization).toString('latin1') });
    await refused(401, { authorization: `Bearer ${'x'.repeat(8000)}` });
    t.match((await ask(served)).headers['www-authenticate'], /^Bearer/);
    for (const headers of [
      { host: `localhost:${port}` },
      { origin: `http://127.0.0.1:${port}` },
      { origin: 'http://localhost:6274' },
      { authorization: `bearer  ${TOKEN}` },
    ])
      t.equal(
        (await ask(served, { headers: { ...AUTHORIZATION, ...headers } })).status,
        200,
        JSON.stringify(headers),
      );
    await t.rejects(client(t, served, 'wrong'), /401|Authorization/);
  },
);

t.test('what is no request of the protocol is told so', async (t) => {
  const served = await serving(t);
  const headers = AUTHORIZATION;
  t.match(await ask(served, { headers, path: '/' }), { status: 404 });
  t.match(await ask(served, { headers, path: '/mcp/../etc' }), { status: 404 });
  t.match(await ask(served, { headers, method: 'PUT' }), {
    status: 405,
    headers: { allow: 'POST, GET, DELETE' },
  });
  t.match(await ask(served, { headers, body: '{"half' }), { status: 400 });
  t.match(await ask(served, { headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }), { status: 400 });
  t.match(await ask(served, { headers: { ...headers, 'mcp-session-id': 'gone' } }), { status: 404 });
  t.match(await ask(served, { headers, method: 'GET' }), { status: 400 });
});

t.test('a body of 100 MB is refused, said to be so long or not, and hardly read', async (t) => {
  const served = await serving(t);
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
  const huge = 100 * 1024 * 1024;
  const said = await sendUntilClosed(served.port, `${head}Content-Length: ${huge}\r\n\r\n`, huge);
  t.match(said.answer, /^HTTP\/1\.1 413 /);
  const chunk = `${(1 << 20).toString(16)}\r\n${'x'.repeat(1 << 20)}\r\n`;
  const unsaid = await sendUntilClosed(served.port, `${head}Transfer-Encoding: chunked\r\n\r\n`, huge, chunk);
  t.match(unsaid.answer, /^HTTP\/1\.1 413 /);
  // What the kernel's buffers take in comes on top of what is read.
  t.ok(unsaid.sentBytes < 40 * 1024 * 1024, `${unsaid.sentBytes} were sent`);
  t.equal((await ask(served, { headers: AUTHORIZATION })).status, 200);
});

t.test(
  'a thousand half-open connections, and some that send a letter a second, keep nobody out',
  async (t) => {
    const served = await serving(t, { headersMs: 1000, strangers: 50, connections: 200 });
    const sockets: Socket[] = [];
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
    });
    let open = 0;
    let closed = () => {};
    for (let count = 0; count < 1000; count += 1) {
      const socket = connect(served.port, '127.0.0.1');
      socket.on('error', () => {});
      // One that is told why it is ended is at its end when it has read that.
      socket.resume();
      socket.on('close', () => {
        open -= 1;
        closed();
      });
      open += 1;
      sockets.push(socket);
      if (count % 2 === 0) socket.write('POST /mcp HTTP/1.1\r\nHost: 127');
      // More than the kernel keeps for a server that has no turn never come to be known to it.
      if (count % 100 === 99) await once(socket, 'connect');
    }
    const one = await client(t, served);
    t.equal((await one.listTools()).tools.length, 16);
    t.ok(open <= 160, `${open} of them are open`);
    // Those that are left go, too: the headers of a request have to come within a time.
    const last = sockets.at(-2);
    const slowly = setInterval(() => last?.write('x'), 200);
    t.teardown(() => clearInterval(slowly));
    while (open > 0) {
      await new Promise<void>((resolve) => {
        closed = resolve;
      });
    }
    t.equal((await one.listPrompts()).prompts.length, 5);
  },
);

/** What comes first by a connection; nothing where it ends before. */
function firstOf(socket: Socket): Promise<string> {
  socket.on('error', () => {});
  return new Promise((resolve) => {
    if (socket.destroyed) resolve('');
    socket.once('close', () => resolve('')).once('data', (chunk) => resolve(String(chunk)));
  });
}

t.test('a client that opens three hundred connections before it asks by the first is answered', async (t) => {
  const served = await serving(t, { headersMs: 30_000 });
  const crowd = Array.from({ length: 300 }, () => connect(served.port, '127.0.0.1'));
  t.teardown(() => {
    for (const socket of crowd) socket.destroy();
  });
  await Promise.all(crowd.map((socket) => once(socket, 'connect')));
  // This one comes after them, so they are taken by then.
  t.equal((await ask(served, { headers: AUTHORIZATION })).status, 200);
  const answers = Promise.all(crowd.map(firstOf));
  for (const socket of crowd) {
    socket.write(
      `DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
  }
  const answered = (await answers).filter((text) => text.startsWith('HTTP/1.1 400 '));
  t.equal(answered.length, crowd.length);
});

t.test('sessions are bounded: those that nobody uses go, and those in use stay', async (t) => {
  const served = await serving(t, { most: 2, idleMs: 60_000 });
  const begin = async () => (await ask(served, { headers: AUTHORIZATION })).headers['mcp-session-id'];
  const ping = (id: unknown) =>
    ask(served, {
      headers: { ...AUTHORIZATION, 'mcp-session-id': String(id) },
      body: '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    });
  const [first, second] = [await begin(), await begin()];
  t.equal((await ping(first)).status, 200);
  const third = await begin();
  t.match(
    [await ping(first), await ping(second), await ping(third)],
    [{ status: 200 }, { status: 404 }, { status: 200 }],
  );
  const ended = await ask(served, {
    method: 'DELETE',
    headers: { ...AUTHORIZATION, 'mcp-session-id': String(third) },
  });
  t.equal(ended.status, 200);
  t.equal((await ping(third)).status, 404);
});

t.test('a session that nobody used for long is ended, and one with an open stream is not', async (t) => {
  const served = await serving(t, { idleMs: IDLE_MS });
  const listening = await client(t, served);
  await listening.listTools();
  const idle = String((await ask(served, { headers: AUTHORIZATION })).headers['mcp-session-id']);
  const stream = { method: 'GET', headers: { ...AUTHORIZATION, 'mcp-session-id': idle } };
  let status = 200;
  while (status !== 404) {
    await new Promise((resolve) => setTimeout(resolve, 2 * IDLE_MS));
    ({ status } = await ask(served, {
      ...stream,
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    }));
  }
  t.equal((await listening.listTools()).tools.length, 16);
});

/** Sends a body, in pieces, until the other side has had enough. */
async function sendUntilClosed(
  port: number,
  head: string,
  bodyBytes: number,
  piece = 'x'.repeat(1 << 20),
): Promise<{ answer: string; sentBytes: number }> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // It may be closed while more is being sent.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(head);
  let sentBytes = 0;
  while (!socket.destroyed && chunks.length === 0 && sentBytes < bodyBytes) {
    await new Promise<void>((resolve) => {
      socket.write(piece, () => resolve());
      void closed.then(resolve);
    });
    sentBytes += piece.length;
  }
  socket.end();
  await closed;
  return { answer: Buffer.concat(chunks).toString(), sentBytes };
}
