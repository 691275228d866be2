import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs } from '../run-cli.ts';
import { runHere } from '../run-here.ts';
import { daemonOf, isRunning, mountPlace, readThrough, statusOf, until } from './mount-place.ts';

const fuse = needsFuse();
const LIMIT_MS = 60_000;

/** Runs a command line of the shell, as a user of the mount does. */
function shell(line: string): { status: number | null; stderr: string } {
  return spawnSync('bash', ['-c', line], { encoding: 'utf8', timeout: LIMIT_MS, killSignal: 'SIGKILL' });
}

async function json(...args: string[]): Promise<unknown> {
  const { status, out, err } = await runHere([...args, '--json']);
  if (status !== 0) throw new Error(err);
  return JSON.parse(out);
}

t.test('a session that was killed is gone on with, scratchpad and all', fuse, async (t) => {
  const { mountpoint, at } = mountPlace(t);
  const draft = join(mountpoint, 'context/scratchpad/draft');
  kgraphfs(['mount', mountpoint, ...at]);
  const { session } = Object(statusOf(mountpoint));
  t.match(await json('session', 'list', ...at), [
    { session, state: 'live', mountpoint, has_scratchpad: true },
  ]);
  t.equal(shell(`echo kept > '${draft}'`).status, 0);
  const pid = daemonOf(mountpoint);
  t.match(await runHere(['session', 'resume', session, ...at]), { status: 1, err: `process ${pid};` });
  const elsewhere = ['mount', join(mountpoint, '../second'), ...at];
  t.match(kgraphfs([...elsewhere, '--session', session]), {
    status: 3,
    err: `session ${session} is live, mounted at ${mountpoint} by process ${pid}`,
  });
  t.match(kgraphfs([...elsewhere, '--session', 'nope']), {
    status: 3,
    err: /there is no session nope; "kgraphfs session list"/,
  });
  t.match(await json('session', 'list', ...at), [{ session }], 'a mount that fails leaves none');
  process.kill(pid, 'SIGKILL');
  await until('the daemon to be gone', () => !isRunning(pid));

  t.equal((await runHere(['session', 'resume', session, ...at])).status, 0);
  t.match(await json('session', 'list', ...at), [{ session, state: 'next', ended_at: null }]);
  t.equal(kgraphfs(['mount', mountpoint, ...at]).status, 0);
  t.equal(readThrough(draft), 'kept\n');
  t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  t.match(await json('session', 'list', ...at), [{ session, state: 'ended', ended_at: /Z$/ }]);
  t.match(await json('context', 'history', '--session', session, '--type', 'mount', ...at), [{}, {}]);

  kgraphfs(['mount', mountpoint, ...at]);
  t.match(await json('session', 'list', ...at), [{ state: 'ended' }, { state: 'live' }]);
  t.equal(spawnSync('ls', ['-A', join(mountpoint, 'context/scratchpad')], { encoding: 'utf8' }).stdout, '');
  t.equal(kgraphfs([...elsewhere, '--session', session]).status, 0);
  t.equal(readThrough(join(mountpoint, '../second/context/scratchpad/draft')), 'kept\n');
  t.match(await json('session', 'list', ...at), [
    { session, state: 'live', ended_at: null },
    { state: 'live' },
  ]);
});

t.test('a mount that fails leaves no session, and the mark where it was', fuse, async (t) => {
  const { folder, mountpoint, at } = mountPlace(t);
  const inUse = ['mount', join(folder, 'in-use'), ...at];
  mkdirSync(join(folder, 'in-use/something'), { recursive: true });
  t.equal(kgraphfs(inUse).status, 3);
  t.same(await json('session', 'list', ...at), []);
  const { session } = Object(await json('session', 'new', ...at));
  t.equal(kgraphfs(inUse).status, 3);
  t.match(await json('session', 'list', ...at), [{ session, state: 'next' }]);
  t.equal(kgraphfs(['mount', mountpoint, ...at]).status, 0);
  t.match(await json('session', 'list', ...at), [{ session, state: 'live' }]);
});

onEachDriver(
  'the history in the mount grows under its reader, and nobody else writes to it',
  fuse,
  async (t, driver) => {
    const { mountpoint, at } = mountPlace(t, driver);
    kgraphfs(['mount', mountpoint, ...at]);
    const folder = join(mountpoint, 'context/history');
    const [name = ''] = execFileSync('ls', [folder], { encoding: 'utf8' }).split('\n');
    const file = join(folder, name);
    // The daemon's own writes set off no inotify, and not every tail(1) knows that.
    const follower = spawn('tail', ['-n', '+1', '-f', '---disable-inotify', '--', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: LIMIT_MS,
    });
    t.teardown(() => follower.kill('SIGKILL'));
    const documents = readdirSync('docs/sample', { recursive: true, withFileTypes: true });
    const count = documents.filter((entry) => entry.isFile()).length;
    const seen: string[] = [];
    let reads = 0;
    for await (const line of createInterface(follower.stdout)) {
      const { event_type, path, data } = JSON.parse(line);
      if (event_type === 'read') reads += data?.count ?? 1;
      else seen.push(path ?? event_type);
      if (event_type === 'mount') shell(`echo x > '${mountpoint}/context/memory/fact/a'`);
      if (event_type === 'create') shell(`grep -rq nowhere '${mountpoint}/docs'`);
      // Where the machine is busy, a pause among the reads makes two entries of them.
      if (reads >= count) follower.kill('SIGTERM');
    }
    t.same(seen, ['mount', '/context/memory/fact/a']);
    t.equal(reads, count);

    const content = readThrough(file);
    t.equal(
      Number(execFileSync('stat', ['-c', '%s', file], { encoding: 'utf8' })),
      Buffer.byteLength(content),
    );
    for (const line of [
      `echo x >> '${file}'`,
      `: > '${file}'`,
      `rm -f '${file}'`,
      `mv '${file}' '${folder}/x'`,
      `touch '${folder}/x'`,
    ]) {
      const { status, stderr } = shell(line);
      t.not(status, 0, line);
      t.match(stderr, 'Read-only file system');
    }
    t.equal(readThrough(file), content);
  },
);
