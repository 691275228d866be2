import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { kgraphfs } from '../run-cli.ts';
import { mountPlace, readThrough, statusOf } from './mount-place.ts';

const fuse = needsFuse();
const LIMIT_MS = 60_000;

/** Runs a program as a user of the mount does, in an environment of its own. */
function run(env: NodeJS.ProcessEnv, command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  if (status !== 0) throw error ?? new Error(`${command}: ${stderr}`);
}

function historyOf(at: readonly string[]): Record<string, unknown>[] {
  const { status, out, err } = kgraphfs(['context', 'history', ...at, '--json']);
  if (status !== 0) throw new Error(err);
  return JSON.parse(out);
}

t.test(
  'the history says which program opened a file, in whose name and for which session',
  fuse,
  async (t) => {
    const { mountpoint, at } = mountPlace(t);
    const other = JSON.parse(kgraphfs(['session', 'new', ...at, '--json']).out).session;
    t.equal(kgraphfs(['mount', mountpoint, '--driver', 'linux', ...at]).status, 0);
    const own = statusOf(mountpoint).session;
    t.equal(own, other, 'the mount goes on with the session that was made');
    const third = JSON.parse(kgraphfs(['session', 'new', ...at, '--json']).out).session;

    const file = (name: string) => join(mountpoint, 'context/memory/fact', name);
    run({}, 'sh', '-c', `echo x > '${file('plain')}'`);
    run({ KGRAPHFS_ACTOR: 'ana', KGRAPHFS_SESSION: third }, 'sh', '-c', `echo x > '${file('claimed')}'`);
    run({ KGRAPHFS_ACTOR: 'a\nb', KGRAPHFS_SESSION: 'nowhere' }, 'sh', '-c', `echo x > '${file('unknown')}'`);
    run({ KGRAPHFS_ACTOR: 'searcher' }, 'rg', '-q', 'nowhere to be found|a', join(mountpoint, 'docs'));
    t.equal(kgraphfs(['unmount', mountpoint]).status, 0);

    const entries = historyOf(at);
    const created = entries.filter(({ event_type }) => event_type === 'create');
    t.match(created, [
      { actor: 'sh', path: '/context/memory/fact/plain', session_id: own },
      { actor: 'ana', path: '/context/memory/fact/claimed', session_id: third },
      { actor: 'sh', path: '/context/memory/fact/unknown', session_id: own },
    ]);
    const searched = entries.filter(({ actor }) => actor === 'searcher');
    t.ok(searched.length > 0);
    t.equal(
      new Set(searched.map(({ data }) => Object(data).pid)).size,
      1,
      'all threads of a program are one process',
    );
  },
);

/**
 * exec(2) closes the file while the kernel makes those wait who look at the process, and the mount commits the file meanwhile. Perl has files
 * closed so unless it is told otherwise.
 */
t.test('a program that is started while another one has a file open and written to', fuse, async (t) => {
  const { mountpoint, at } = mountPlace(t);
  t.equal(kgraphfs(['mount', mountpoint, '--driver', 'linux', ...at]).status, 0);
  const file = join(mountpoint, 'context/memory/fact/a');
  const script = 'open(F, ">", $ARGV[0]); syswrite(F, "a\\n"); system("true"); syswrite(F, "b\\n"); close(F)';
  run({ KGRAPHFS_ACTOR: 'ana' }, 'perl', '-e', script, file);
  t.equal(readThrough(file), 'a\nb\n');
  t.match(
    historyOf(at).filter(({ path }) => path === '/context/memory/fact/a'),
    [{ event_type: 'create' }, { event_type: 'write', actor: 'ana' }],
  );
});
