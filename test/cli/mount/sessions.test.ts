import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { kgraphfs, MAIN } from '../run-cli.ts';
import { daemonOf, isRunning, type MountPlace, mountPlace, readThrough, until } from './mount-place.ts';

const fuse = needsFuse();

/** A mount is used from other processes. */
function shell(script: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(
    'timeout',
    ['-s', 'KILL', '20', 'bash', '-c', script, 'bash', ...args],
    {
      encoding: 'utf8',
    },
  );
  return stdout + stderr;
}

function json(args: readonly string[]): unknown[] {
  const { out, err } = kgraphfs([...args, '--json']);
  const value: unknown = JSON.parse(out === '' ? `"${err}"` : out);
  return Array.isArray(value) ? value : [value];
}

function sessionsOf({ at }: MountPlace): unknown[] {
  return json(['session', 'list', ...at]);
}

function sessionAt(mountpoint: string): string {
  return JSON.parse(readThrough(join(mountpoint, '.kgraphfs/status.json'))).session;
}

function historyOf({ at }: MountPlace, ...filter: readonly string[]): unknown[] {
  return json(['context', 'history', ...at, ...filter]);
}

t.test('a mount begins a session with an empty scratchpad; --session goes on with one', fuse, async (t) => {
  const place = mountPlace(t);
  const { mountpoint, at } = place;
  const pad = join(mountpoint, 'context/scratchpad');
  t.equal(kgraphfs(['mount', mountpoint, ...at]).status, 0);
  const first = sessionAt(mountpoint);
  t.equal(shell('echo draft > "$1"/notes; ls -A "$1"', pad), 'notes\n');
  t.match(sessionsOf(place), [{ session: first, state: 'live', mountpoint, has_scratchpad: true }]);
  kgraphfs(['unmount', mountpoint]);
  t.match(sessionsOf(place), [{ session: first, state: 'ended', ended_at: /^20.*Z$/ }]);

  t.equal(kgraphfs(['mount', mountpoint, ...at]).status, 0);
  t.not(sessionAt(mountpoint), first);
  t.equal(shell('ls -A "$1"', pad), '');
  kgraphfs(['unmount', mountpoint]);

  t.equal(kgraphfs(['mount', mountpoint, '--session', first, ...at]).status, 0);
  t.equal(sessionAt(mountpoint), first);
  t.equal(shell('cat "$1"/notes', pad), 'draft\n');
  t.match(sessionsOf(place), [{ session: first, state: 'live', ended_at: null }, { state: 'ended' }]);
  kgraphfs(['unmount', mountpoint]);
});

t.test('a session whose daemon was killed can be gone on with, a live one cannot', fuse, async (t) => {
  const place = mountPlace(t);
  const { mountpoint, folder, at } = place;
  kgraphfs(['mount', mountpoint, ...at]);
  const session = sessionAt(mountpoint);
  shell('echo kept > "$1"/context/scratchpad/notes', mountpoint);
  const second = kgraphfs(['mount', join(folder, 'second'), '--session', session, ...at]);
  t.equal(second.status, 3);
  t.match(second.err, `session ${session} is live, mounted at ${mountpoint} by process`);
  const unknown = kgraphfs(['mount', join(folder, 'second'), '--session', 'nope', ...at]);
  t.match(unknown, { status: 3, err: /there is no session nope; "kgraphfs session list"/ });
  t.equal(sessionsOf(place).length, 1, 'a mount that fails leaves none');
  const pid = daemonOf(mountpoint);
  process.kill(pid, 'SIGKILL');
  await until('the daemon to be gone', () => !isRunning(pid));
  t.equal(kgraphfs(['session', 'resume', session, ...at]).status, 0);
  t.equal(kgraphfs(['mount', mountpoint, ...at]).status, 0);
  t.equal(sessionAt(mountpoint), session);
  t.equal(shell('cat "$1"/context/scratchpad/notes', mountpoint), 'kept\n');
  kgraphfs(['unmount', mountpoint]);
});

t.test(
  'of two mounts that begin together one has the session that was made for the next',
  fuse,
  async (t) => {
    const place = mountPlace(t);
    const { folder, at } = place;
    kgraphfs(['build', ...at]);
    const [made] = json(['session', 'new', ...at]);
    const points = ['one', 'two'].map((name) => join(folder, name));
    const mounts = points.map((point) =>
      spawn(process.execPath, [MAIN, 'mount', point, ...at], { stdio: 'inherit', timeout: 60_000 }),
    );
    t.same(await Promise.all(mounts.map(async (mount) => (await once(mount, 'exit'))[0])), [0, 0]);
    const had = points.map((point) => ({ session: sessionAt(point) }));
    t.not(had[0]?.session, had[1]?.session);
    t.equal(had.filter(({ session }) => session === Object(made).session).length, 1);
    for (const point of points) t.equal(kgraphfs(['unmount', point]).status, 0);
  },
);

t.test(
  'the history of a mount: what programs read and wrote, by --follow, command and file',
  fuse,
  async (t) => {
    const place = mountPlace(t);
    const { mountpoint, at } = place;
    kgraphfs(['mount', mountpoint, '--wait', ...at]);
    const following = spawn(process.execPath, [MAIN, 'context', 'history', '--follow', '--json', ...at], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 30_000,
    });
    t.teardown(() => following.kill('SIGKILL'));
    shell('grep -rc . "$1"/docs > /dev/null; echo fact > "$1"/context/memory/fact/a', mountpoint);
    const followed: unknown[] = [];
    for await (const line of createInterface(following.stdout)) {
      const entry = JSON.parse(line);
      followed.push(entry);
      if (entry.event_type === 'create') following.kill('SIGTERM');
    }
    const documents = Number(shell('find "$1"/docs -type f | wc -l', mountpoint));
    const entries = [
      { event_type: 'mount', data: { driver: 'fuse-native' } },
      { event_type: 'read', data: { count: documents, paths: [/^\/docs\//] } },
      { event_type: 'create', path: '/context/memory/fact/a', data: { version: 1 } },
    ];
    t.match(followed, entries);
    t.match(historyOf(place), entries);
    t.match(historyOf(place, '--path', '/context/memory'), [{ event_type: 'create' }]);
    const session = sessionAt(mountpoint);
    const lines = shell('cat "$1"/context/history/*', mountpoint).trim().split('\n');
    t.match(lines.map((line) => JSON.parse(line)).slice(0, entries.length), entries);
    t.match(
      shell('ls "$1"/context/history', mountpoint),
      new RegExp(`^(\\d{4}-\\d{2}-\\d{2}_${session}\\.jsonl\\n)+$`),
    );
    t.match(
      shell('echo x >> "$1"/context/history/*; rm "$1"/context/history/*', mountpoint),
      /Read-only file system/,
    );
    kgraphfs(['unmount', mountpoint]);
    t.match(historyOf(place, '--type', 'unmount'), [{ session_id: session }]);
  },
);

t.test('a program that follows a history file in the mount sees it grow', fuse, async (t) => {
  const { mountpoint, at } = mountPlace(t);
  kgraphfs(['mount', mountpoint, ...at]);
  const tail = spawn('bash', ['-c', 'exec tail -n +1 -s 0.1 -f "$1"/context/history/*', 'bash', mountpoint], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
  });
  t.teardown(() => tail.kill('SIGKILL'));
  const seen: string[] = [];
  for await (const line of createInterface(tail.stdout)) {
    const { event_type, path = '' } = JSON.parse(line);
    seen.push(`${event_type} ${path}`.trim());
    const next = seen.length;
    if (next <= 3) shell('echo fact > "$1"', join(mountpoint, `context/memory/fact/${next}`));
    else tail.kill('SIGTERM');
  }
  t.same(seen.slice(0, 4), ['mount', ...[1, 2, 3].map((n) => `create /context/memory/fact/${n}`)]);
  kgraphfs(['unmount', mountpoint]);
});

t.test('with --audit off nothing is entered', fuse, async (t) => {
  const place = mountPlace(t);
  const { mountpoint, at } = place;
  kgraphfs(['mount', mountpoint, '--audit', 'off', ...at]);
  shell('cat "$1"/docs/errors.md; echo fact > "$1"/context/memory/fact/a', mountpoint);
  kgraphfs(['unmount', mountpoint]);
  t.same(historyOf(place), []);
});
