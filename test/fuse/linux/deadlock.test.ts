import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { MountOptions } from '../../../src/fuse/driver.ts';
import { Place } from '../../durability/place.ts';
import type { Teardown } from '../../support/temporary.ts';
import { within } from '../../support/within.ts';
import { Daemon, MAP, newMountPoint, shell } from '../daemon.ts';
import { needsFuse, needsFuseAsRoot } from '../fuse-available.ts';

/** What waits for nothing but slow resolvers ends within this, also on a machine that is busy; what is stuck, never. */
const SOON_MS = 30_000;
/** So much longer than that that nothing comes free by it. */
const DEADLINE_MS = 10 * SOON_MS;
const READERS = 8;
const CHANGES = 300;

const fuse = needsFuse();
let clockMs = 1_600_000_000_000;

function start(t: Teardown, mount: Partial<MountOptions> = {}): Promise<Daemon> {
  return Daemon.start(t, {
    driver: 'linux',
    point: newMountPoint(t),
    tree: 'slow',
    mount: { deadlineMs: DEADLINE_MS, ...mount },
  });
}

/** Puts a file, and waits until the kernel was told. */
function put(daemon: Daemon, path: string, text: string): Promise<unknown> {
  clockMs += 1;
  return daemon.tell({ do: 'put', path, text, modifiedMs: clockMs });
}

const soon = <T>(action: Promise<T>): Promise<T> => within(SOON_MS, action);

/** Waits until the tree was asked for something slow. An open(2) that waits is pending, too, and then a notice may go out before what it is to wait for. */
async function isBegun(daemon: Daemon, operation: string): Promise<void> {
  for (;;) {
    const begun = await daemon.tell({ do: 'begun' });
    if (Array.isArray(begun) && begun.includes(operation)) return;
    await delay(5);
  }
}

t.test('notices while a name in the same folder is looked up slowly', fuse, async (t) => {
  const daemon = await start(t);
  await put(daemon, '/docs/look', 'slow\n');
  await shell('cat "$1"/docs/a.txt; cat "$1"/docs/missing', daemon.point);
  const looking = shell('cat "$1"/docs/look', daemon.point);
  await daemon.untilPending((count) => count === 1);
  const told = [
    put(daemon, '/docs/a.txt', 'other\n'),
    put(daemon, '/docs/missing', 'there\n'),
    put(daemon, '/docs/look', 'changed\n'),
    daemon.tell({ do: 'remove', path: '/docs/tagged.txt' }),
  ];
  t.equal((await soon(shell('cat "$1"/docs/a.txt', daemon.point))).output, 'other\n');
  t.match((await soon(looking)).output, /slow|changed/);
  await soon(Promise.all(told));
  t.equal(
    (await soon(shell('cat "$1"/docs/missing "$1"/docs/look', daemon.point))).output,
    'there\nchanged\n',
  );
});

t.test('notices while the same file is read slowly', fuse, async (t) => {
  const daemon = await start(t);
  await put(daemon, '/docs/read', 'slow\n');
  const reading = shell('cat "$1"/docs/read', daemon.point);
  await daemon.untilPending((count) => count === 1);
  const told = put(daemon, '/docs/read', 'next\n');
  t.equal((await soon(shell('cat "$1"/docs/a.txt', daemon.point))).output, 'first\n', 'others are answered');
  t.match((await soon(reading)).output, /slow|next/);
  await soon(told);
  t.equal((await soon(shell('cat "$1"/docs/read', daemon.point))).output, 'next\n');
});

t.test('notices while a name in the folder is removed slowly', fuse, async (t) => {
  const daemon = await start(t);
  await put(daemon, '/docs/remove', 'slow\n');
  await shell('cat "$1"/docs/a.txt "$1"/docs/remove', daemon.point);
  const removing = shell('rm -f "$1"/docs/remove', daemon.point);
  await daemon.untilPending((count) => count === 1);
  const told = [put(daemon, '/docs/a.txt', 'other\n'), put(daemon, '/docs/remove', 'again\n')];
  t.equal((await soon(removing)).status, 0);
  await soon(Promise.all(told));
  t.equal((await soon(shell('cat "$1"/docs/a.txt', daemon.point))).output, 'other\n');
});

t.test(
  'who waits for a slow answer can be killed, and goes on waiting after other signals',
  fuse,
  async (t) => {
    const daemon = await start(t);
    await put(daemon, '/docs/look', 'slow\n');
    for (const signals of [['KILL'], ['TERM'], ['INT'], ['WINCH', 'USR1']] as const) {
      const client = spawn('cat', [join(daemon.point, 'docs/never')], { stdio: 'ignore' });
      const ended = once(client, 'exit');
      await daemon.untilPending((count) => count === 1);
      for (const signal of signals) client.kill(`SIG${signal}`);
      t.same(await soon(ended), [null, `SIG${signals.at(-1)}`], signals.join());
      await daemon.untilPending((count) => count === 0);
    }
    const patient = spawn(
      'sh',
      ['-c', 'trap : USR1; read -r line < "$1"; echo "$line"', 'sh', join(daemon.point, 'docs/look')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const chunks: string[] = [];
    patient.stdout.on('data', (chunk) => chunks.push(String(chunk)));
    const closed = once(patient, 'close');
    await daemon.untilPending((count) => count === 1);
    patient.kill('SIGUSR1');
    t.same(await soon(closed), [0, null]);
    t.equal(chunks.join(''), 'slow\n');
  },
);

t.test('bytes are given ahead while others have the file mapped and open', fuse, async (t) => {
  const daemon = await start(t);
  await put(daemon, '/docs/mapped', 'v'.repeat(9000));
  const holder = spawn(
    'timeout',
    [
      '-s',
      'KILL',
      '90',
      'perl',
      '-e',
      `${MAP}; open G, "<", $ARGV[0]; $| = 1; print "ready"; <STDIN>`,
      join(daemon.point, 'docs/mapped'),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(holder, 'close');
  await once(holder.stdout, 'data');
  for (let round = 0; round < 50; round += 1) {
    const letter = round % 2 === 0 ? 'a' : 'b';
    await soon(put(daemon, '/docs/mapped', letter.repeat(9000)));
    const { output } = await soon(shell('tail -c 1 "$1"/docs/mapped', daemon.point));
    if (output !== letter) t.fail(`round ${round}: ${output}`);
  }
  holder.stdin.end('done\n');
  await soon(ended);
});

t.test(`${READERS} readers while the tree changes all the time`, { ...fuse, timeout: 240_000 }, async (t) => {
  const daemon = await start(t);
  const readers = Array.from({ length: READERS }, () =>
    shell(
      'for i in $(seq 40); do cat "$1"/docs/*; ls -l "$1"/docs; done >/dev/null 2>&1; echo ended',
      daemon.point,
    ),
  );
  for (let round = 0; round < CHANGES; round += 1) {
    void put(daemon, `/docs/f${round % 7}`, `${round}\n`);
    if (round % 5 === 0) void daemon.tell({ do: 'remove', path: `/docs/f${(round + 3) % 7}` });
    await delay(1);
  }
  for (const reader of readers) t.equal((await reader).output, 'ended\n');
  t.same(await daemon.tell({ do: 'bugs' }), []);
});

t.test('a client that is killed while it waits is let go, and its request is given up', fuse, async (t) => {
  const daemon = await start(t, { deadlineMs: 5000 });
  const waiting = spawn('cat', [join(daemon.point, 'docs/never')], { stdio: 'ignore' });
  const ended = once(waiting, 'exit');
  await daemon.untilPending((count) => count === 1);
  t.equal((await soon(shell('cat "$1"/docs/a.txt', daemon.point))).output, 'first\n');
  waiting.kill('SIGKILL');
  // What has begun in the kernel is waited for even then: until the deadline.
  t.same(await soon(ended), [null, 'SIGKILL']);
  await soon(daemon.untilPending((count) => count === 0));
});

for (const how of ['looks a name up', 'reads', 'removes'] as const) {
  const [operation, command] = {
    'looks a name up': ['look', 'cat'],
    reads: ['read', 'cat'],
    removes: ['remove', 'rm -f'],
  }[how];
  const file = `${operation}-long`;
  t.test(`a daemon that is killed while a client ${how}, and a notice waits for that`, fuse, async (t) => {
    const daemon = await start(t);
    await put(daemon, `/docs/${file}`, 'slow\n');
    await shell('cat "$1"/docs/a.txt; cat "$1"/docs/missing', daemon.point);
    const client = shell(`${command} "$1"/docs/${file}`, daemon.point);
    await isBegun(daemon, `${operation} /docs/${file}`);
    for (const name of ['a.txt', 'missing', file])
      void put(daemon, `/docs/${name}`, 'next\n').catch(() => {});
    // Long enough for the notices to be under way.
    await delay(100);
    await soon(daemon.kill('SIGKILL'));
    t.match((await soon(client)).output, /not connected|abort|I\/O error/);
    t.match((await soon(shell('ls "$1"', daemon.point))).output, /not connected/);
    await shell('fusermount3 -u -z "$1"', daemon.point);
  });
}

t.test('programs and scripts are run from the scratchpad', { ...fuse, timeout: 240_000 }, async (t) => {
  const mount = await new Place(t, 'linux').mount('ctx');
  const { status, output } = await shell(
    `cp "$(type -P true)" "$1"/true && printf '#!/bin/sh\\necho run\\n' > "$1"/script && chmod +x "$1"/script &&
     for i in $(seq 4); do (for j in $(seq 25); do "$1"/true || echo failed; done) & done;
     for i in $(seq 10); do "$1"/script; done | sort | uniq -c | tr -s ' '; wait`,
    mount.scratchpad,
  );
  t.same({ status, output }, { status: 0, output: ' 10 run\n' });
  await mount.unmount();
});

t.test('a shell that is in the mount while that is taken away', { ...fuse, timeout: 240_000 }, async (t) => {
  const daemon = await start(t);
  const inside = spawn(
    'timeout',
    [
      '-s',
      'KILL',
      '90',
      'bash',
      '-c',
      'cd "$1"/docs; echo ready; read -r _; cat a.txt; ls /; echo on',
      'bash',
      daemon.point,
    ],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const chunks: string[] = [];
  inside.stdout.on('data', (chunk) => chunks.push(String(chunk)));
  await once(inside.stdout, 'data');
  await soon(daemon.tell({ do: 'unmount', whenBusy: 'detach' }));
  inside.stdin.end('go\n');
  await soon(once(inside, 'close'));
  t.match(chunks.join(''), /on\n$/);
});

t.test('a connection that is aborted while clients wait', needsFuseAsRoot(), async (t) => {
  const daemon = await start(t);
  await put(daemon, '/docs/look-long', 'slow\n');
  const clients = ['never', 'look-long'].map((name) => shell(`cat "$1"/docs/${name}`, daemon.point));
  await daemon.untilPending((count) => count === 2);
  void put(daemon, '/docs/a.txt', 'next\n').catch(() => {});
  const abort = `unshare --mount sh -c 'mount -t fusectl none /sys/fs/fuse/connections &&
      echo 1 > "/sys/fs/fuse/connections/$1/abort"' sh "$(grep " $1 " /proc/self/mountinfo | cut -d' ' -f3 | cut -d: -f2)"`;
  t.same(await soon(shell(abort, daemon.point)), { status: 0, output: '' });
  for (const client of clients) t.match((await soon(client)).output, /not connected|abort/);
  await soon(daemon.says('unmounted by another'));
});
