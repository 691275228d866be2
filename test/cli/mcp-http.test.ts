import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { z } from 'zod';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { kgraphfs, MAIN, sample } from './run-cli.ts';

const shownSchema = z.strictObject({ url: z.string(), token: z.string().optional() });
const TOKEN = 'a-token-from-the-environment';
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

interface Serving {
  readonly child: ChildProcess;
  readonly shown: z.infer<typeof shownSchema>;
  readonly said: () => string;
}

async function serve(t: Teardown, env: NodeJS.ProcessEnv, ...args: string[]): Promise<Serving> {
  const child = spawn(
    process.execPath,
    [MAIN, 'mcp', '--http', '0', '--no-start', '--json', ...sample(t), ...args],
    {
      env: { ...process.env, XDG_CONFIG_HOME: temporaryFolder(t), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  t.teardown(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let out = '';
  while (!out.includes('}')) {
    const [chunk] = await once(child.stdout, 'data');
    out += String(chunk);
  }
  return { child, shown: shownSchema.parse(JSON.parse(out)), said: () => said };
}

function initialize(url: string, token: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(INITIALIZE),
  });
}

t.test('a token from the environment is shown nowhere, and a signal ends the server', async (t) => {
  const { child, shown, said } = await serve(t, { KGRAPHFS_MCP_TOKEN: TOKEN });
  t.match(shown.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  t.equal(shown.token, undefined);
  t.equal((await initialize(shown.url, 'wrong')).status, 401);
  const answer = await initialize(shown.url, TOKEN);
  t.equal(answer.status, 200);
  t.match(await answer.text(), '"serverInfo":{"name":"kgraphfs"');
  t.notMatch(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'), TOKEN);
  child.kill('SIGTERM');
  const [status] = await once(child, 'exit');
  t.equal(status, 0);
  t.notMatch(said(), TOKEN);
  await t.rejects(initialize(shown.url, TOKEN));
});

t.test('without one a new one is made and shown', async (t) => {
  const { shown } = await serve(t, { KGRAPHFS_MCP_TOKEN: '' });
  t.equal((await initialize(shown.url, shown.token ?? '')).status, 200);
  const { port } = new URL(shown.url);
  const second = kgraphfs(['mcp', '--http', port, '--no-start', ...sample(t)]);
  t.match(second, { status: 1, out: '', err: /cannot be used/ });
});

t.test('an origin that no browser sends is refused', (t) => {
  for (const origin of ['localhost:6274', 'null', 'http://localhost:6274/page'])
    t.match(kgraphfs(['mcp', '--http', '0', '--no-start', '--allow-origin', origin, ...sample(t)]), {
      status: 2,
      err: /--allow-origin takes an origin such as http:\/\/localhost:6274/,
    });
  t.end();
});
