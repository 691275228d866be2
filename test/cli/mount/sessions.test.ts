import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs, MAIN } from '../run-cli.ts';
import { runHere } from '../run-here.ts';
import { type MountPlace, mountPlace, statusOf } from './mount-place.ts';

const fuse = needsFuse();

/** A mount is used from other processes. */
function shell(script: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(
    'timeout',
    ['-s', 'KILL', '60', 'bash', '-c', script, 'bash', ...args],
    {
      encoding: 'utf8',
    },
  );
  return stdout + stderr;
}

async function json(args: readonly string[]): Promise<unknown[]> {
  const { out, err } = await runHere([...args, '--json']);
  const value: unknown = JSON.parse(out === '' ? `"${err}"` : out);
  return Array.isArray(value) ? value : [value];
}

function sessionAt(mountpoint: string): string {
  return statusOf(mountpoint).session;
}

function historyOf({ at }: MountPlace, ...filter: readonly string[]): Promise<unknown[]> {
  return json(['context', 'history', ...at, ...filter]);
}

interface Summary {
  /** Kinds of entries, each once. */
  readonly types: readonly unknown[];
  /** Documents that were read: where the machine is busy, a pause among the reads makes several entries of them. */
  readonly reads: number;
  readonly first: unknown;
  readonly last: unknown;
}

function summaryOf(entries: readonly unknown[]): Summary {
  const read = entries.map(Object).filter((entry) => entry.event_type === 'read');
  return {
    types: [...new Set(entries.map((entry) => Object(entry).event_type))],
    reads: read.reduce(
      (sum, { data, path }) => sum + (data?.count ?? (path.startsWith('/docs/') ? 1 : 0)),
      0,
    ),
    first: entries[0],
    last: entries.at(-1),
  };
}

t.test(
  'of two mounts that begin together one has the session that was made for the next',
  fuse,
  async (t) => {
    const place = mountPlace(t);
    const { folder, at } = place;
    const [made] = await json(['session', 'new', ...at]);
    const points = ['one', 'two'].map((name) => join(folder, name));
    const mounts = points.map((point) =>
      spawn(process.execPath, [MAIN, 'mount', point, ...at], { stdio: 'inherit', timeout: 60_000 }),
    );
    t.same(await Promise.all(mounts.map(async (mount) => (await once(mount, 'exit'))[0])), [0, 0]);
    const had = points.map((point) => ({ session: sessionAt(point) }));
    t.not(had[0]?.session, had[1]?.session);
    t.equal(had.filter(({ session }) => session === Object(made).session).length, 1);
  },
);

onEachDriver(
  'the history of a mount: what programs read and wrote, by --follow, command and file',
  fuse,
  async (t, driver) => {
    const place = mountPlace(t, driver);
    const { mountpoint, at } = place;
    kgraphfs(['mount', mountpoint, '--wait', ...at]);
    const following = spawn(process.execPath, [MAIN, 'context', 'history', '--follow', '--json', ...at], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 60_000,
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
    const expected = {
      types: ['mount', 'read', 'create'],
      first: { event_type: 'mount', data: { driver } },
      reads: documents,
      last: { event_type: 'create', path: '/context/memory/fact/a', data: { version: 1 } },
    };
    t.match(summaryOf(followed), expected);
    t.match(summaryOf(await historyOf(place)), expected);
    t.match(await historyOf(place, '--path', '/context/memory'), [{ event_type: 'create' }]);
    const session = sessionAt(mountpoint);
    const lines = shell('cat "$1"/context/history/*', mountpoint).trim().split('\n');
    t.match(summaryOf(lines.map((line) => JSON.parse(line)).slice(0, followed.length)), expected);
    t.match(
      shell('ls "$1"/context/history', mountpoint),
      new RegExp(`^(\\d{4}-\\d{2}-\\d{2}_${session}\\.jsonl\\n)+$`),
    );
    t.match(
      shell('echo x >> "$1"/context/history/*; rm "$1"/context/history/*', mountpoint),
      /Read-only file system/,
    );
    kgraphfs(['unmount', mountpoint]);
    t.match(await historyOf(place, '--type', 'unmount'), [{ session_id: session }]);
  },
);

t.test('with --audit off nothing is entered', fuse, async (t) => {
  const place = mountPlace(t);
  const { mountpoint, at } = place;
  kgraphfs(['mount', mountpoint, '--audit', 'off', ...at]);
  shell('cat "$1"/docs/errors.md; echo fact > "$1"/context/memory/fact/a', mountpoint);
  kgraphfs(['unmount', mountpoint]);
  t.same(await historyOf(place), []);
});
