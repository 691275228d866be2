import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { daemonOf, isRunning, mountPlace, readThrough, until } from '../cli/mount/mount-place.ts';
import { kgraphfs } from '../cli/run-cli.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { PETSTORE } from './petstore.ts';

const PROGRAM = fileURLToPath(new URL('./mcp-program.js', import.meta.url));

const OWN = `
import { writeFileSync } from 'node:fs';
export const resolver = (_config, { folder }) => {
  let count = 0;
  return {
    at([name]) {
      if (name === undefined) return { folder: ['well', ...Array.from({ length: (count += 1) }, (_, i) => 'n' + i)] };
      if (name === 'well') return { file: 'well' };
      if (name === 'waits') return new Promise(() => {});
      if (name === 'loops') for (writeFileSync(folder + '/looping', '');;);
      if (name === 'pid') return { file: String(process.pid) };
      if (/^n\\d+$/.test(name)) return { file: name };
    },
  };
};`;

onEachDriver(
  'programs use modules as files, and what hangs in one harms no other',
  needsFuse(),
  async (t, driver) => {
    const { folder, mountpoint, at } = mountPlace(t, driver);
    const own = ownConfig(folder);
    writeFileSync(join(own, 'api.yaml'), PETSTORE);
    const trace = join(folder, 'trace');
    const modules = {
      own: { module: './own.mjs', timeoutMs: 500 },
      api: { module: 'openapi', file: 'api.yaml' },
      notes: { module: 'mcp', command: process.execPath, args: [PROGRAM, trace] },
      wrong: { module: 'git', commits: 'many' },
    };
    writeFileSync(join(own, 'config.json'), JSON.stringify({ modules }), { mode: 0o600 });
    const env = { XDG_CONFIG_HOME: join(folder, 'own') };
    t.equal(kgraphfs(['mount', mountpoint, '--wait', ...at], { env }).status, 0);
    const shell = (script: string) => {
      const ran = spawnSync('sh', ['-c', script], { cwd: mountpoint, encoding: 'utf8', timeout: 120_000 });
      return { out: ran.stdout, err: ran.stderr, status: ran.status };
    };

    t.equal(shell('ls modules').out, 'api\nnotes\nown\nwrong\n');
    t.match(shell("cat 'modules/api/operations/v1/pets/POST.md'").out, /returns a \*\*Pet\*\*/);
    const called = shell(
      `echo '{"a": 2, "b": 40}' > modules/notes/calls/add; cat modules/notes/calls/add.out`,
    );
    t.same(called, { out: '42\n', err: '', status: 0 });
    const again = shell(
      `echo '{"a": 1, "b": 1}' > modules/notes/calls/add; cat modules/notes/calls/add modules/notes/calls/add.out`,
    );
    t.equal(again.out, '{"a": 1, "b": 1}\n2\n', 'a shorter text leaves nothing of the one before');
    t.match(shell('cat modules/own/waits').err, /timed out/);
    t.match(shell('cat modules/own/loops').err, /timed out/);
    t.equal(
      shell('head -n 1 docs/errors.md; cat modules/notes/resources/first.md').status,
      0,
      'others answer meanwhile',
    );
    t.match(shell('cat modules/wrong/log').err, /Input\/output error/);
    t.match(
      shell('echo x > modules/api/README.md; touch modules/new; mkdir modules/api/x').err,
      /(?:Read-only file system[\s\S]*){3}/,
    );
    const errors = shell('cat .kgraphfs/errors.jsonl').out;
    t.match(errors, /"ETIMEDOUT","path":"\/modules\/own\/waits"/);
    t.match(errors, /config\.json:1:\d+: modules\.wrong\.commits: /);
    t.match(JSON.parse(shell('cat .kgraphfs/status.json').out).modules, [
      { name: 'api', state: 'running', search: true },
      { name: 'notes' },
      { name: 'own' },
      { name: 'wrong', state: 'failed', error: /modules\.wrong\.commits/ },
    ]);
    t.match(
      shell('cat "graph/nodes/POST %2Fv1%2Fpets"').out,
      /\/modules\/api\/operations\/v1\/pets\/POST\.md:\d+/,
    );
    t.match(shell('cat "search/register a pet"').out, /modules\/api\/operations\/v1\/pets\/POST\.md/);
    const pids = readFileSync(trace, 'utf8').trim().split('\n').map(Number);
    t.ok(pids.some(isRunning));
    kgraphfs(['unmount', mountpoint], { env });
    await until('the server to end with the daemon', () => !pids.some(isRunning));
  },
);

t.test('a module in a loop without end ends with a daemon that is killed', needsFuse(), async (t) => {
  const { folder, mountpoint, at } = mountPlace(t);
  const own = ownConfig(folder);
  const modules = { own: { module: './own.mjs', timeoutMs: 14_000 } };
  writeFileSync(join(own, 'config.json'), JSON.stringify({ modules }), { mode: 0o600 });
  const env = { XDG_CONFIG_HOME: join(folder, 'own') };
  t.equal(kgraphfs(['mount', mountpoint, '--wait', ...at], { env }).status, 0);
  const pid = Number(readThrough(join(mountpoint, 'modules/own/pid')));
  const daemon = daemonOf(mountpoint);
  t.not(pid, daemon);
  const asks = spawn('cat', [join(mountpoint, 'modules/own/loops')], { stdio: 'ignore' });
  t.teardown(() => asks.kill('SIGKILL'));
  await until('it to loop', () => existsSync(join(own, 'looping')));
  t.ok(isRunning(pid));
  process.kill(daemon, 'SIGKILL');
  await until('the module to end', () => !isRunning(pid));
});

/** @returns the folder of a user's own config, with a module in it */
function ownConfig(folder: string): string {
  const own = join(folder, 'own/kgraphfs');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  chmodSync(join(folder, 'own'), 0o700);
  writeFileSync(join(own, 'own.mjs'), OWN);
  return own;
}
