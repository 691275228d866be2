/** The server as a client starts it: a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import t from 'tap';
import { openServer } from '../../src/mcp/server.ts';
import { serveStdio } from '../../src/mcp/stdio.ts';
import { liveDaemons } from '../../src/state/daemons.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { until } from '../cli/mount/mount-place.ts';
import { kgraphfs, MAIN, sample } from '../cli/run-cli.ts';
import { sampleProject } from './sample-project.ts';

const ENV = { ...process.env, XDG_CONFIG_HOME: '/nowhere' };
const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
};

function start(...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MAIN, 'mcp', ...args], { env: ENV });
}

async function outputOf(
  child: ChildProcessWithoutNullStreams,
): Promise<{ lines: unknown[]; status: number | null }> {
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [status] = await once(child, 'close');
  const lines = Buffer.concat(chunks).toString().trim().split('\n');
  // What is no line of JSON fails here: nothing else may be on standard output.
  return { lines: lines.filter((line) => line !== '').map((line) => JSON.parse(line)), status };
}

t.test(
  'a client finds the daemon started, asks and leaves; the daemon stays and the server does not',
  async (t) => {
    const project = sample(t);
    t.equal(kgraphfs(['build', ...project]).status, 0);
    const state = stateFolderAt(project[3] ?? '');
    t.teardown(() => kgraphfs(['stop', ...project]));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', ...project],
      env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: '/nowhere' },
    });
    const client = new Client({ name: 'a-client', version: '1' });
    await client.connect(transport);
    const reply = await client.callTool({
      name: 'connect',
      arguments: { from: 'Subscription', to: 'charge.succeeded' },
    });
    t.match(reply.structuredContent, { path_length: 3 });
    t.equal(liveDaemons(state).length, 1);
    const { pid } = transport;
    await client.close();
    // The client kills a server that takes its time on a busy machine, and does not wait for that.
    await until('the server to end', () => !existsSync(`/proc/${pid}`));
    t.throws(() => process.kill(pid ?? 0, 0), { code: 'ESRCH' });
    t.equal(liveDaemons(state).length, 1);
  },
);

t.test('all that was piped in is answered before the end, and nothing but messages is written', async (t) => {
  const project = sample(t);
  // A first index that takes long is not waited for.
  t.equal(kgraphfs(['build', ...project]).status, 0);
  const child = start('--no-start', ...project);
  const done = outputOf(child);
  const messages = [
    { jsonrpc: '2.0', id: 1, ...INITIALIZE },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'inspect', arguments: { node: 'Invoice' } },
    },
    { jsonrpc: '2.0', id: 3, method: 'ping' },
  ];
  child.stdin.end(
    `${messages.map((message) => JSON.stringify(message)).join('\n')}\n{"half\n{"jsonrpc":"1.0"}\n`,
  );
  const { lines, status } = await done;
  t.equal(status, 0);
  t.equal(lines.length, 5);
  t.match(
    lines.find((line) => JSON.stringify(line).includes('"id":2')),
    { result: { structuredContent: { entity: 'Invoice' } } },
  );
  for (const code of [-32700, -32600])
    t.match(
      lines.some((line) => JSON.stringify(line).includes(`"code":${code}`)),
      true,
    );
  t.same(liveDaemons(stateFolderAt(project[3] ?? '')), []);
});

t.test(
  'what is no message is answered by its number where it has one, and an empty line not at all',
  async (t) => {
    const { options } = await sampleProject(t);
    const [input, output] = [new PassThrough(), new PassThrough()];
    const serving = serveStdio(openServer(options), { input, output, signal: new AbortController().signal });
    const lines = [
      '{"jsonrpc":"1.0","id":92,"method":"ping"}',
      '{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}',
      '{"jsonrpc":"2.0","id":5,"result":7}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '[]',
      '',
      ' \r',
      '{"half',
      '{"jsonrpc":"2.0","id":93,"method":"ping"}',
    ];
    // In two parts, of which the first ends within a line.
    const sent = `${lines.join('\n')}\n`;
    input.write(sent.slice(0, 50));
    input.end(sent.slice(50));
    await serving;
    output.end();
    const answers: { id: unknown; error?: { code: number } }[] = (await text(output))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    t.same(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [92, -32600],
        ['a', -32600],
        [null, -32600],
        [null, -32600],
        [null, -32600],
        [null, -32700],
        [93, undefined],
      ],
    );
  },
);

t.test('of many answers to a client that reads slowly, one at a time waits for it', async (t) => {
  const { options } = await sampleProject(t);
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
  const serving = serveStdio(openServer(options), { input, output, signal: new AbortController().signal });
  const requests = Array.from({ length: 300 }, (_, id) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }),
  );
  input.end(`${requests.join('\n')}\n`);
  let waiting = 0;
  // It is told before it is counted as one.
  output.on('newListener', (event) => {
    if (event === 'drain') waiting = Math.max(waiting, output.listenerCount('drain') + 1);
  });
  let answers = 0;
  for await (const chunk of output) {
    answers += String(chunk).split('\n').length - 1;
    if (answers === requests.length) break;
  }
  await serving;
  t.equal(waiting, 1);
  t.equal(answers, requests.length);
});

t.test('a message that is too long is told so before the server ends', async (t) => {
  const child = start('--no-start', ...sample(t));
  const done = outputOf(child);
  // The server does not wait for the rest of it.
  child.stdin.on('error', () => {});
  child.stdin.write('x'.repeat(17 * 1024 * 1024));
  const { lines, status } = await done;
  t.match(lines, [{ id: null, error: { message: /^the connection ends: .*16777216 bytes/ } }]);
  t.equal(status, 0);
});

t.test('a signal ends it at once and cleanly', async (t) => {
  const child = start('--no-start', ...sample(t));
  const done = outputOf(child);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...INITIALIZE })}\n`);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  t.match(await done, { status: 0 });
});

t.test('ports and tokens are for HTTP, and a project that cannot be opened is told to who asks', (t) => {
  t.match(kgraphfs(['mcp', '8080']), { status: 2, err: /for --http/ });
  t.match(kgraphfs(['mcp', '--http', '99999']), { status: 2, err: /from 0 to 65535/ });
  const call = {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'navigate', arguments: { node: 'x' } },
  };
  const input = [{ jsonrpc: '2.0', id: 1, ...INITIALIZE }, call]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
  const { out, status } = kgraphfs(['mcp', '--docs', '/nowhere/docs'], { input });
  t.match(out, /"id":2,"error":\{"code":-32603,"message":"[^"]*\/nowhere\/docs/);
  t.equal(status, 0);
  t.end();
});
