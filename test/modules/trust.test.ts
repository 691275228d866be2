import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { runHere } from '../cli/run-here.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A module that leaves a trace as soon as anything of it is run. */
function tracing(trace: string): string {
  return `
import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(trace)}, 'it ran');
export const resolver = () => ({ at: ([name]) => name === undefined ? { folder: ['x'] } : { file: 'shown' } });
`;
}

t.test(
  'a module path in the config of a docs folder runs nothing before kgraphfs trust, nor once it was edited',
  async (t) => {
    const cwd = realpathSync(temporaryFolder(t));
    const trace = join(cwd, 'trace');
    mkdirSync(join(cwd, 'docs'));
    writeFileSync(join(cwd, 'docs/a.md'), '# Charge\n');
    writeFileSync(join(cwd, 'module.mjs'), tracing(trace));
    writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"modules": {"mine": {"module": "./module.mjs"}}}');
    const env = { XDG_CONFIG_HOME: join(cwd, 'own') };
    const run = (...args: string[]) => runHere(args, { cwd, env });

    t.match(await run('vfs', 'list', '/modules'), { status: 0, out: '' });
    t.match(await run('vfs', 'read', '/modules/mine/x'), {
      status: 1,
      err: /kgraphfs\.config\.json:1:14: modules\.mine: the code of .*module\.mjs is run.*kgraphfs trust/,
    });
    for (const command of [
      ['build'],
      ['search', 'charge'],
      ['vfs', 'search', 'charge'],
      ['status'],
      ['doctor'],
    ]) {
      await run(...command);
    }
    t.match(JSON.parse((await run('status', '--json')).out), {
      modules: [{ name: 'mine', state: 'refused', error: /kgraphfs trust/ }],
    });
    t.notOk(existsSync(trace), 'nothing ran');

    t.match(await run('trust'), { status: 0, out: /modules\.mine: the code of .*module\.mjs is run/ });
    t.match(await run('vfs', 'read', '/modules/mine/x'), { status: 0, out: 'shown' });
    t.ok(existsSync(trace));

    const second = join(cwd, 'second');
    writeFileSync(join(cwd, 'module.mjs'), tracing(second));
    t.match(await run('vfs', 'read', '/modules/mine/x'), {
      status: 1,
      err: /EACCES.*edited since.*kgraphfs trust/,
    });
    t.notOk(existsSync(second), 'code that came with a pull is not what was trusted');
    t.match(await run('vfs', 'list', '/modules'), { status: 0, out: '' }, 'it is not in modules/');
    t.match(JSON.parse((await run('status', '--json')).out), {
      modules: [{ name: 'mine', state: 'refused', error: /edited since.*kgraphfs trust/ }],
    });
    await run('trust');
    t.match(await run('vfs', 'read', '/modules/mine/x'), { status: 0, out: 'shown' });
    writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"modules": {"mine": {"module": "./module.mjs"} }}');
    t.match(await run('vfs', 'read', '/modules/mine/x'), { status: 1, err: /kgraphfs trust/ });
  },
);

t.test(
  'code that a trusted module imports is trusted with it, as it was, however deep and however it is named',
  async (t) => {
    const cwd = realpathSync(temporaryFolder(t));
    mkdirSync(join(cwd, 'docs'));
    mkdirSync(join(cwd, 'lib'));
    mkdirSync(join(cwd, 'node_modules/package'), { recursive: true });
    const trace = join(cwd, 'trace');
    const edited = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(trace)}, '');`;
    const files: Readonly<Record<string, string>> = {
      'docs/a.md': '# Charge\n',
      'kgraphfs.config.json': '{"modules": {"mine": {"module": "./module.mjs"}}}',
      'module.mjs': `
import fs from 'node:fs'; // it doesn't matter what's in quotation marks here
import { one } from './lib/one.mjs';
import 'package';
export { two } from "./lib/t\\x77o.mjs?v=1";
const data = new URL('./lib/data.json', import.meta.url);
const { five } = await import(\`./lib/five.cjs\`);
export const resolver = () => ({
  at: async ([name]) => name === undefined ? { folder: ['x'] } : { file: one + five + fs.readFileSync(data, 'utf8') },
});
export const late = () => import('./lib/later.mjs');
`,
      'lib/one.mjs':
        "import three from './three.json' with { type: 'json' };\nexport const one = three.three;",
      'lib/two.mjs': 'export const two = 2;',
      'lib/three.json': '{"three": "3"}',
      'lib/four.js': 'module.exports = "4";',
      'lib/five.cjs': "exports.five = require('./four') + '5';",
      'lib/data.json': '"data"',
      'node_modules/package/package.json': '{"name": "package", "exports": "./index.js"}',
      'node_modules/package/index.js': '',
    };
    const put = (path: string, text: string) => writeFileSync(join(cwd, path), text);
    for (const [path, text] of Object.entries(files)) put(path, text);
    const env = { XDG_CONFIG_HOME: join(cwd, 'own') };
    const run = (...args: string[]) => runHere(args, { cwd, env });
    const read = () => run('vfs', 'read', '/modules/mine/x');

    t.match(await run('trust'), { status: 0, out: /module\.mjs is run, with 5 files that it imports\n/ });
    t.match(await read(), { status: 0, out: '345"data"' });
    put('lib/data.json', '"other data"');
    put('node_modules/package/index.js', '// another version');
    t.match(await read(), { status: 0, out: '345"other data"' }, 'neither data nor packages are its code');
    for (const path of [
      'lib/one.mjs',
      'lib/two.mjs',
      'lib/three.json',
      'lib/four.js',
      'lib/five.cjs',
      'lib/later.mjs',
    ]) {
      put(path, edited);
      t.match(
        await read(),
        {
          status: 1,
          err: new RegExp(
            `${path}, which .*module\\.mjs imports: it was edited since it was trusted.*kgraphfs trust`,
          ),
        },
        path,
      );
      t.notOk(existsSync(trace), path);
      if (files[path] === undefined) rmSync(join(cwd, path));
      else put(path, files[path]);
    }
    t.match(await read(), { status: 0, out: '345"other data"' }, 'as it was, it runs again');
  },
);

/** A project whose config names one module, and what its owner runs in it. */
function project(t: Test, module: Readonly<Record<string, unknown>>) {
  const cwd = realpathSync(temporaryFolder(t));
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'docs/a.md'), '# Charge\n');
  writeFileSync(join(cwd, 'kgraphfs.config.json'), JSON.stringify({ modules: { theirs: module } }));
  const env = { XDG_CONFIG_HOME: join(cwd, 'own'), GITHUB_TOKEN: 'secret' };
  return { cwd, run: (...args: string[]) => runHere(args, { cwd, env }) };
}

const READING = [
  ['vfs', 'list', '/modules'],
  ['vfs', 'list', '/modules/theirs'],
  ['build'],
  ['search', 'charge'],
  ['status'],
  ['env'],
];

t.test('an MCP command in the config of a docs folder starts nothing before kgraphfs trust', async (t) => {
  const trace = join(realpathSync(temporaryFolder(t)), 'trace');
  const { run } = project(t, { module: 'mcp', command: '/usr/bin/touch', args: [trace], timeoutMs: 10_000 });
  for (const command of [...READING, ['doctor']]) await run(...command);
  t.match(await run('vfs', 'list', '/modules/theirs/tools'), {
    status: 1,
    err: /the program .* is started.*kgraphfs trust/,
  });
  t.notOk(existsSync(trace));
  t.match(await run('trust'), { out: /modules\.theirs: the program "\/usr\/bin\/touch .*" is started/ });
  await run('vfs', 'list', '/modules/theirs/tools');
  t.ok(existsSync(trace), 'with trust it is started');
});

for (const [title, moduleAt] of [
  ['a base URL', (url: string) => ({ module: 'github', repository: 'a/b', baseUrl: url })],
  ['an MCP server', (url: string) => ({ module: 'mcp', url })],
] as const) {
  t.test(`${title} in the config of a docs folder is sent nothing before kgraphfs trust`, async (t) => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const url = `http://127.0.0.1:${port}`;
    const { run } = project(t, { ...moduleAt(url), search: true, timeoutMs: 10_000 });
    for (const command of READING) await run(...command);
    t.match(await run('vfs', 'read', '/modules/theirs/README.md'), { status: 1, err: /kgraphfs trust/ });
    t.same(seen, []);
    t.match(await run('trust'), { out: new RegExp(`modules\\.theirs: requests.* go to ${url}`) });
    await run('vfs', 'list', '/modules/theirs/issues');
    await run('vfs', 'list', '/modules/theirs/tools');
    t.not(seen.length, 0, 'with trust it is asked');
  });
}

t.test("an OpenAPI file outside the folder of a stranger's config is not read", async (t) => {
  const outside = join(realpathSync(temporaryFolder(t)), 'api.json');
  writeFileSync(outside, '{"openapi": "3.0.0"}');
  const { cwd, run } = project(t, { module: 'openapi', file: outside });
  symlinkSync(outside, join(cwd, 'link.json'));
  t.match(await run('vfs', 'read', '/modules/theirs/README.md'), {
    status: 1,
    err: /lies outside.*kgraphfs trust/,
  });
  const config = { modules: { theirs: { module: 'openapi', file: 'link.json' } } };
  writeFileSync(join(cwd, 'kgraphfs.config.json'), JSON.stringify(config));
  t.match(await run('vfs', 'read', '/modules/theirs/README.md'), { status: 1, err: /lies outside/ });
  writeFileSync(join(cwd, 'own.json'), '{"openapi": "3.0.0", "info": {"title": "Own"}}');
  config.modules.theirs.file = 'own.json';
  writeFileSync(join(cwd, 'kgraphfs.config.json'), JSON.stringify(config));
  t.match(await run('vfs', 'read', '/modules/theirs/README.md'), { status: 0, out: '# Own\n' });
});

t.test("a stranger's module takes no name from the user's own", async (t) => {
  const cwd = realpathSync(temporaryFolder(t));
  const own = join(cwd, 'own/kgraphfs');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  mkdirSync(join(cwd, 'docs'));
  const trace = join(cwd, 'trace');
  writeFileSync(join(own, 'mine.mjs'), tracing(join(cwd, 'own-trace')));
  writeFileSync(join(own, 'config.json'), '{"modules": {"mine": {"module": "./mine.mjs"}}}', { mode: 0o600 });
  writeFileSync(join(cwd, 'theirs.mjs'), tracing(trace));
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"modules": {"mine": {"module": "./theirs.mjs"}}}');
  const read = await runHere(['vfs', 'read', '/modules/mine/x'], {
    cwd,
    env: { XDG_CONFIG_HOME: join(cwd, 'own') },
  });
  t.match(read, { status: 0, out: 'shown' });
  t.notOk(existsSync(trace));
});

t.test('what code said before it was edited is not found any more', async (t) => {
  const { cwd, run } = project(t, { module: './notes.mjs', search: true });
  const code = `export const resolver = () => ({
  at: ([name]) => name === undefined ? { folder: ['zebras.md'] } : { file: '# Zebras are striped\\n' },
});
`;
  writeFileSync(join(cwd, 'notes.mjs'), code);
  await run('trust');
  t.match(await run('search', 'striped zebras'), { out: /modules\/theirs\/zebras\.md/ });
  writeFileSync(join(cwd, 'notes.mjs'), `${code}// edited\n`);
  t.notMatch((await run('search', 'striped zebras')).out, /modules\/theirs/);
  await run('trust');
  t.match(await run('search', 'striped zebras'), { out: /modules\/theirs\/zebras\.md/ });
});
