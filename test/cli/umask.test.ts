import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { needsFuse } from '../fuse/fuse-available.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { MAIN } from './run-cli.ts';

const READ_AND_WRITE = 0o600;
const SEARCH = 0o100;

/** A folder with docs, and what runs the program there as long as a umask allows nothing. */
function withUmask(t: Teardown) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), '# Alpha\n');
  const run = (...args: string[]) => {
    const shell = ['-c', 'umask 0777; exec "$0" "$@"', process.execPath, MAIN, ...args];
    const { status, stdout, stderr } = spawnSync('sh', shell, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  return { folder, run };
}

/** Of all in a folder, what its owner cannot use. */
function unusable(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => {
    const status = statSync(join(folder, name));
    const needed = status.isDirectory() ? READ_AND_WRITE | SEARCH : READ_AND_WRITE;
    return (status.mode & needed) !== needed;
  });
}

t.test('whatever the umask, what commands keep can be used by its owner', async (t) => {
  const { folder, run } = withUmask(t);
  run('build');
  run('context', 'memory', 'add', 'fact/refunds', 'Refunds take 5 days');
  run('session', 'new');
  t.match(run('search', 'Alpha'), /docs\/a\.md/);
  t.ok(readdirSync(join(folder, '.kgraphfs')).length > 5);
  t.same(unusable(join(folder, '.kgraphfs')), []);
});

t.test('whatever the umask, what a daemon keeps can be used by its owner', needsFuse(), async (t) => {
  const { folder, run } = withUmask(t);
  run('mount', 'ctx');
  t.teardown(() => run('unmount', 'ctx'));
  const write =
    'echo note >ctx/context/scratchpad/note; echo fact >ctx/context/memory/fact/one; cat ctx/graph/nodes/*';
  t.equal(spawnSync('sh', ['-c', write], { cwd: folder }).status, 0);
  t.same(unusable(join(folder, '.kgraphfs')), []);
});
