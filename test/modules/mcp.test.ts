import { once } from 'node:events';
import { readFileSync, realpathSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import t from 'tap';
import { hidingSecrets } from '../../src/modules/hidden-secrets.ts';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openModules, untilAnswered } from './opened.ts';

const PROGRAM = fileURLToPath(new URL('./mcp-program.js', import.meta.url));

t.test('resources are files, tools are folders, and a call is written and its answer read', async (t) => {
  const trace = join(realpathSync(temporaryFolder(t)), 'trace');
  const { read, ls, write, modules } = openModules(t, {
    modules: {
      notes: {
        module: 'mcp',
        command: process.execPath,
        args: [PROGRAM, trace],
        calls: ['add', 'fail', 'exit', 'hang'],
        timeoutMs: 10_000,
      },
    },
  });
  t.same(await ls('/notes'), [
    'README.md',
    'calls',
    'resources',
    'resources.jsonl',
    'server.json',
    'templates.jsonl',
    'tools',
  ]);
  t.match(JSON.parse(await read('/notes/server.json')), {
    name: 'notes',
    version: '1.2.3',
    instructions: 'Read first.',
  });
  t.same(await ls('/notes/resources'), ['first.md', 'note:%2F%2F%2Fa', 'note:%2F%2F%2Fb']);
  t.equal(await read('/notes/resources/first.md'), '# First\n');
  t.equal(await read('/notes/resources/note:%2F%2F%2Fa'), 'a', 'two of one name go by their URIs');
  t.equal(await read('/notes/resources/note:%2F%2F%2Fany%2F7'), 'any 7', 'any URI is looked up');
  await t.rejects(read('/notes/resources/note:%2F%2F%2Fnope'), { code: 'ENOENT' });
  t.match(await read('/notes/templates.jsonl'), /note:\/\/\/any\/\{id\}/);
  t.same(await ls('/notes/tools'), ['add', 'exit', 'fail', 'hang']);
  t.same(await ls('/notes/tools/add'), ['description.md', 'schema.json']);
  t.match(JSON.parse(await read('/notes/tools/add/schema.json')), { properties: { a: { type: 'number' } } });
  t.same(await ls('/notes/calls'), ['add', 'exit', 'fail', 'hang']);
  await write('/notes/calls/add', '{"a": 2, "b": 3}\n');
  t.equal(await read('/notes/calls/add.out'), '5\n');
  t.equal(await read('/notes/calls/add'), '{"a": 2, "b": 3}\n');
  t.same(await ls('/notes/calls'), ['add', 'add.out', 'exit', 'fail', 'hang']);
  await write('/notes/calls/fail', '{}');
  t.equal(await read('/notes/calls/fail.out'), 'error: it cannot be done\n');
  await t.rejects(write('/notes/calls/add', 'no JSON'), { code: 'EINVAL' });
  t.match(await read('/notes/calls/add.out'), /^error: the arguments are not JSON/);
  await write('/notes/calls/add', '{"a": "two"}').catch(() => undefined);
  t.match(await read('/notes/calls/add.out'), /^error: .*a/i, 'what the schema refuses');
  await t.rejects(write('/notes/calls/new', '{}'), { code: 'EROFS' });
  await t.rejects(write('/notes/server.json', '{}'), { code: 'EROFS' });
  await t.rejects(write('/notes/calls/hang', '{}'), { code: 'ETIMEDOUT' });

  await t.rejects(write('/notes/calls/exit', '{}'), { code: 'EIO' });
  t.equal(
    await readSoon(() => read('/notes/resources/note:%2F%2F%2Fany%2F8')),
    'any 8',
    'it is started again after it ended',
  );
  const pids = readFileSync(trace, 'utf8').trim().split('\n').map(Number);
  t.equal(pids.length, 2);
  t.match(await read('/notes/calls/add.out'), /^error/, 'what was answered is kept');
  modules.close();
  await gone(pids[1] ?? 0);
  t.pass('it is ended with the module');
});

t.test('a tool that has run has its answer also where that finds no room', needsRootToMount, async (t) => {
  const home = diskInMemory(t, 'size=400k');
  const { read, ls, write, reported } = openModules(t, {
    home,
    // Elsewhere, since the disk goes before the server has ended.
    modules: { notes: { module: 'mcp', command: process.execPath, args: [PROGRAM], cwd: '/' } },
  });
  await write('/notes/calls/add', '{"a": 2, "b": 3}');
  const all = join(home, 'all');
  t.throws(() => writeFileSync(all, Buffer.alloc(1 << 20)), { code: 'ENOSPC' });
  await write('/notes/calls/add', '{"a": 20, "b": 3}');
  t.equal(await read('/notes/calls/add.out'), '23\n');
  await write('/notes/calls/fail', '{}');
  t.equal(await read('/notes/calls/fail.out'), 'error: it cannot be done\n');
  t.ok((await ls('/notes/calls')).includes('fail.out'));
  await untilAnswered(async () => {
    if (reported.length === 0) throw new Error('nothing is told');
  });
  t.match(reported[0], { message: /calls\/add\.out: it is not kept \(ENOSPC/ });
  truncateSync(all);
  await write('/notes/calls/add', '{"a": 200, "b": 3}');
  t.equal(await read('/notes/calls/add.out'), '203\n');
});

t.test('a tool that the config does not allow is not called', async (t) => {
  const { ls, write } = openModules(t, {
    modules: { notes: { module: 'mcp', command: process.execPath, args: [PROGRAM], calls: ['add'] } },
  });
  t.same(await ls('/notes/calls'), ['add']);
  await t.rejects(write('/notes/calls/exit', '{}'), { code: 'EACCES' });
});

t.test('a server over HTTP is the same, with the headers of the config', async (t) => {
  const seen: (string | undefined)[] = [];
  const http = createServer((request, response) => {
    seen.push(request.headers.authorization);
    const server = new McpServer({ name: 'remote', version: '2' });
    server.registerTool('greet', { description: 'Greets.' }, () => ({
      content: [{ type: 'text', text: 'hello' }],
    }));
    const transport = new StreamableHTTPServerTransport({});
    void server.connect(transport).then(() => transport.handleRequest(request, response));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.teardown(() => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { read, ls, write } = openModules(t, {
    modules: {
      remote: {
        module: 'mcp',
        url: `http://127.0.0.1:${port}/mcp`,
        headers: { authorization: 'Bearer abc' },
      },
    },
  });
  t.same(await ls('/remote/tools'), ['greet']);
  await write('/remote/calls/greet', '{}');
  t.equal(await read('/remote/calls/greet.out'), 'hello\n');
  t.ok(seen.length > 1 && seen.every((header) => header === 'Bearer abc'));
});

t.test('a server that cannot be started says why', async (t) => {
  const { read, reported, modules } = openModules(t, {
    modules: {
      none: { module: 'mcp', command: '/no/such/program' },
      dies: {
        module: 'mcp',
        command: process.execPath,
        args: ['-e', 'console.error("no licence"); process.exit(1)'],
      },
      both: { module: 'mcp', command: 'x', url: 'http://localhost:1/' },
    },
  });
  await t.rejects(read('/none/server.json'), { code: 'EIO' });
  await t.rejects(read('/dies/server.json'), { code: 'EIO' });
  t.ok(
    reported.some(({ message }) => /no licence/.test(message)),
    'with what it said',
  );
  t.match((await modules.examine())[0], {
    name: 'both',
    state: 'failed',
    error: /either "command" or "url"/,
  });
});

async function readSoon(read: () => Promise<string>): Promise<string> {
  for (;;) {
    try {
      return await read();
    } catch {
      await pause(50);
    }
  }
}

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await pause(20);
  }
}

t.test('what a server says is shown without what it was given in its environment', async (t) => {
  const key = 'xoxb-0123456789-of-nobody';
  // The key is where what is told of it begins.
  const says = 'console.error("refused:", process.env.API_TOKEN, "x".repeat(490)); process.exit(1)';
  const { read, reported, modules } = openModules(t, {
    modules: {
      dies: {
        module: 'mcp',
        command: process.execPath,
        args: ['-e', says],
        env: { API_TOKEN: key, LEVEL: '1' },
      },
    },
  });
  const error: unknown = await read('/dies/server.json').catch((error: unknown) => error);
  t.match(String(error), /; it said: .*xxx/);
  const shown = JSON.stringify([String(error), reported, modules.view()]);
  for (let start = 0; start + 6 <= key.length; start += 1) t.notMatch(shown, key.slice(start, start + 6));
});

t.test('what a module was given is hidden wherever it is told, and nothing else is', (t) => {
  const hide = hidingSecrets({
    env: { TOKEN: 'abcdef', LONG: 'abcdef-ghi', LEVEL: '1', NONE: 5 },
    headers: { Authorization: 'Bearer 0123456789' },
    secrets: { GITHUB_TOKEN: 'ghp_secret' },
  });
  t.equal(hide('abcdef-ghi and abcdef at level 1'), '[env.LONG] and [env.TOKEN] at level 1');
  t.equal(hide('401 for 0123456789, ghp_secret'), '401 for [headers.Authorization], [secrets.GITHUB_TOKEN]');
  t.equal(hidingSecrets({ env: 'abcdef' })('abcdef'), 'abcdef');
  t.end();
});
