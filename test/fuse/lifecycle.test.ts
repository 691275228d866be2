import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import type { DriverName } from '../../src/config/schema.ts';
import { UserError } from '../../src/core/errors.ts';
import { DEFAULT_MOUNT_OPTIONS } from '../../src/fuse/driver.ts';
import { clearDeadMount, mountAtPoint, prepareMountPoint } from '../../src/fuse/mount-point.ts';
import { whoUses } from '../../src/fuse/mount-users.ts';
import { mountAt } from '../../src/fuse/mounted-points.ts';
import { unmountPoint } from '../../src/fuse/unmount.ts';
import { MemoryTree } from '../conformance/memory-tree.ts';
import { DEFAULT_DRIVER, DRIVER_FACTS } from '../support/drivers.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { stopProcess } from '../support/stop-process.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';
import { ABORT, Daemon, isMounted, MAP, newMountPoint, shell, takeAway } from './daemon.ts';
import { needsFuse, needsFuseAsRoot } from './fuse-available.ts';

const ROUNDS = 10;

const shared = new Map<DriverName, Promise<Daemon>>();

/** The daemon of a driver, for all cases that leave it at work, whether with its mount or without: it has one now. */
async function mounted(driver: DriverName): Promise<Daemon> {
  const started = shared.get(driver) ?? Daemon.start(t, { driver, point: newMountPoint(t), tree: 'small' });
  shared.set(driver, started);
  const daemon = await started;
  if (!isMounted(daemon.point)) await daemon.tell({ do: 'mount again' });
  return daemon;
}

onEachDriver('a mount shows in the table of mounts as what it is', needsFuse(), async (t, driver) => {
  const daemon = await mounted(driver);
  t.match(await mountAt(daemon.point), { type: 'fuse.kgraphfs', source: 'kgraphfs' });
  const { output } = await shell('grep " $1 " /proc/self/mounts', daemon.point);
  for (const flag of ['nosuid', 'nodev', 'noatime', 'default_permissions']) t.match(output, flag);
});

onEachDriver('it can be mounted and unmounted many times by one process', needsFuse(), async (t, driver) => {
  const daemon = await mounted(driver);
  for (let round = 1; round <= ROUNDS; round += 1) {
    t.equal((await shell('cat "$1"/docs/a.txt', daemon.point)).output, 'first\n', `round ${round}`);
    await daemon.tell({ do: 'unmount', whenBusy: 'refuse' });
    await daemon.says('unmounted');
    t.notOk(isMounted(daemon.point));
    if (round < ROUNDS) await daemon.tell({ do: 'mount again' });
  }
});

onEachDriver(
  'a killed daemon leaves a dead mount, which the next one takes over, and which can be cleared away; a live one stays',
  needsFuse(),
  async (t, driver) => {
    const point = newMountPoint(t);
    const first = await Daemon.start(t, { driver, point, tree: 'small' });
    await shell('ls "$1"', point);
    await first.kill('SIGKILL');
    t.match((await shell('ls "$1"', point)).output, /not connected/);
    const next = await Daemon.start(t, { driver, point, tree: 'small' });
    t.equal((await shell('cat "$1"/docs/a.txt', point)).output, 'first\n');
    t.notOk(await clearDeadMount(point));
    t.ok(isMounted(point));
    await next.kill('SIGKILL');
    t.ok(await clearDeadMount(point));
    t.notOk(isMounted(point));
    t.notOk(await clearDeadMount(point), 'and then there is none');
  },
);

onEachDriver('a daemon notices that somebody else unmounted it', needsFuse(), async (t, driver) => {
  const daemon = await mounted(driver);
  t.equal((await shell('fusermount3 -u "$1"', daemon.point)).status, 0);
  await daemon.says('unmounted by another');
  await daemon.tell({ do: 'mount again' });
  t.equal((await shell('cat "$1"/docs/a.txt', daemon.point)).output, 'first\n', 'and can mount again');
});

onEachDriver('so it does where somebody detached it while it is in use', needsFuse(), async (t, driver) => {
  const daemon = await mounted(driver);
  const user = spawn('sleep', ['60'], { cwd: daemon.point });
  t.teardown(() => user.kill());
  await once(user, 'spawn');
  t.equal((await shell('fusermount3 -u -z "$1"', daemon.point)).status, 0);
  await daemon.says('unmounted by another');
});

onEachDriver(
  "a mount that was made where another's was taken away outlives it, noticing or unmounting late",
  needsFuse(),
  async (t, driver) => {
    const point = newMountPoint(t);
    let first = await Daemon.start(t, { driver, point, tree: 'small' });
    for (const how of ['noticing', 'unmounting'] as const) {
      stopProcess(first.pid);
      await takeAway(t, first);
      const second = await Daemon.start(t, { driver, point, tree: 'small' });
      first.signal('SIGCONT');
      if (how === 'unmounting') await first.tell({ do: 'unmount', whenBusy: 'refuse' });
      else await first.says('unmounted by another');
      t.equal((await shell('cat "$1"/docs/a.txt', point)).output, 'first\n', how);
      first = second;
    }
  },
);

onEachDriver(
  'a daemon notices that its connection was aborted, and clears the dead mount away',
  needsFuseAsRoot(),
  async (t, driver) => {
    const daemon = await mounted(driver);
    t.same(await shell(ABORT, daemon.point, temporaryFolder(t)), { status: 0, output: '' });
    await daemon.says('unmounted by another');
    t.notOk(isMounted(daemon.point));
  },
);

onEachDriver(
  'a busy mount says who is busy, and can be detached all the same',
  needsFuse(),
  async (t, driver) => {
    const daemon = await mounted(driver);
    const user = await startUser(t, 'cd "$1/docs"; exec sleep 290', daemon.point);
    await t.rejects(daemon.tell({ do: 'unmount', whenBusy: 'refuse' }), {
      message: new RegExp(`busy.*in use by\n +${user} sleep 290`, 's'),
    });
    t.same(await whoUses(daemon.point), [{ pid: user, command: 'sleep 290' }]);
    t.ok(isMounted(daemon.point));
    await daemon.tell({ do: 'unmount', whenBusy: 'detach' });
    await daemon.says('unmounted');
    t.notOk(isMounted(daemon.point));
  },
);

t.test('who uses a folder is found by current folder, open file and mapping', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), 'content');
  t.same(await whoUses(folder), []);
  const users = [
    await startUser(t, 'cd "$1"; exec sleep 290', folder),
    await startUser(t, 'exec 9< "$1/file"; exec sleep 290', folder),
    await startUser(t, `exec perl -e '${MAP}; sleep 290' "$1/file"`, folder, /\/file$/m),
  ];
  t.same((await whoUses(folder)).map(({ pid }) => pid).sort(), users.sort());
  t.same(await whoUses(`${folder}x`), [], 'a longer name is another folder');
});

t.test('who uses a folder is said soon, whatever a process waits for', async (t) => {
  const proc = temporaryFolder(t);
  const folder = '/some/mount';
  for (const pid of [1, 2, 3]) {
    mkdirSync(join(proc, `${pid}`));
    writeFileSync(join(proc, `${pid}/comm`), `program${pid}\n`);
  }
  symlinkSync(`${folder}/inside`, join(proc, '2/cwd'));
  writeFileSync(join(proc, '1/maps'), `7f-80 r--p 0000 08:01 17   ${folder}/file (deleted)\n`);
  writeFileSync(join(proc, '1/cmdline'), 'one\0--word\0');
  // Whoever opens these waits for a writer.
  execFileSync('mkfifo', [join(proc, '2/maps'), join(proc, '2/cmdline'), join(proc, '3/maps')]);
  t.same(await whoUses(folder, proc), [
    { pid: 1, command: 'one --word' },
    { pid: 2, command: 'program2' },
  ]);
});

t.test('what cannot be mounted at says why', needsFuse(), async (t) => {
  const folder = temporaryFolder(t);
  const refused = (point: string, reason: RegExp) =>
    t.rejects(prepareMountPoint(point), { name: 'UserError', exitStatus: 3, message: reason });
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'full/inside'), { recursive: true });
  await refused('relative', /absolute/);
  await refused(join(folder, 'missing/point'), /no folder .*missing to make the mount point in/);
  await refused(join(folder, 'file'), /not a folder/);
  await refused(join(folder, 'full'), /not empty/);
  symlinkSync('nowhere', join(folder, 'dangling'));
  symlinkSync('loop', join(folder, 'loop'));
  await refused(join(folder, 'dangling'), /dangling is a link .*\(ENOENT\): remove it, make the folder/);
  await refused(join(folder, 'loop'), /loop is a link .*\(ELOOP\): remove it/);
  await refused((await mounted(DEFAULT_DRIVER)).point, /already mounted/);
});

t.test('a mount point is made where its parent exists, and links on the way are followed', async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(folder, join(folder, 'link'));
  t.same(await prepareMountPoint(join(folder, 'link/new')), { path: join(folder, 'new'), isMade: true });
  t.same(
    await prepareMountPoint(join(folder, 'new')),
    { path: join(folder, 'new'), isMade: false },
    'an empty folder will do',
  );
});

onEachDriver('where one is being mounted no other is', needsFuse(), async (t, driver) => {
  const point = newMountPoint(t);
  const { mount } = DRIVER_FACTS[driver].make((error) => t.fail(String(error)));
  const tree = new MemoryTree().asVfs(() => {});
  const refused = (at: string) =>
    t.rejects(mount(tree, at, DEFAULT_MOUNT_OPTIONS), { exitStatus: 3, message: /already being mounted at/ });
  await mountAtPoint(point, async (path) => {
    await refused(path);
    symlinkSync(dirname(point), join(dirname(point), 'link'));
    await refused(join(dirname(point), 'link', basename(point)));
    symlinkSync(point, join(dirname(point), 'link to it'));
    await refused(join(dirname(point), 'link to it'));
    const other = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'small' });
    t.ok(isMounted(other.point), 'elsewhere one may');
  });
  t.notOk(isMounted(point));
  const daemon = await Daemon.start(t, { driver, point, tree: 'small' });
  t.ok(isMounted(daemon.point), 'afterwards one may');
});

testWhereModesCount('a mount point without the right to write is refused', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'closed'));
  chmodSync(join(folder, 'closed'), 0o555);
  await t.rejects(prepareMountPoint(join(folder, 'closed')), { message: /no permission/ });
});

onEachDriver(
  'options that cannot be are refused before anything is mounted',
  needsFuse(),
  async (t, driver) => {
    const { mount } = DRIVER_FACTS[driver].make((error) => t.fail(String(error)));
    const point = newMountPoint(t);
    const refused = (options: object, reason: RegExp) =>
      t.rejects(
        mount(
          new MemoryTree().asVfs(() => {}),
          point,
          { ...DEFAULT_MOUNT_OPTIONS, ...options },
        ),
        {
          message: reason,
        },
      );
    await refused({ seeOpens: false }, /read-only/);
    await refused({ fsName: 'x,allow_other' }, /source name/);
    t.notOk(isMounted(point));
  },
);

t.test('what is not mounted cannot be unmounted', async (t) => {
  await t.rejects(unmountPoint('/nowhere', { whenBusy: 'detach' }), UserError);
});

onEachDriver(
  'a mount point with hostile characters works, and none of them reaches a shell',
  needsFuse(),
  async (t, driver) => {
    const base = newMountPoint(t);
    mkdirSync(base);
    const point = join(base, '$(touch pwned) `id` "quo\'te" \\ new\nline');
    const daemon = await Daemon.start(t, { driver, point, tree: 'small' });
    t.ok(isMounted(point));
    t.equal((await shell('cat "$1"/docs/a.txt', point)).output, 'first\n');
    await daemon.tell({ do: 'unmount', whenBusy: 'refuse' });
    t.notOk(isMounted(point));
    rmdirSync(point);
    t.equal(execFileSync('ls', ['-A', base]).toString(), '');
  },
);

onEachDriver(
  'a mount point that is a mount of another kind will do',
  needsFuseAsRoot(),
  async (t, driver) => {
    const point = newMountPoint(t);
    t.same(await shell('mkdir "$1" && mount -t tmpfs -o size=4k tmpfs "$1"', point), {
      status: 0,
      output: '',
    });
    const daemon = await Daemon.start(t, { driver, point, tree: 'small' });
    t.equal((await shell('cat "$1"/docs/a.txt', point)).output, 'first\n');
    await daemon.tell({ do: 'unmount', whenBusy: 'refuse' });
    t.match(await mountAt(point), { type: 'tmpfs' });
    t.equal((await shell('umount "$1"', point)).status, 0);
  },
);

onEachDriver('a second mount point works beside the first', needsFuse(), async (t, driver) => {
  const first = await mounted(driver);
  const second = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'small' });
  await second.tell({ do: 'put', path: '/docs/a.txt', text: 'second\n', modifiedMs: 1 });
  t.equal(
    (await shell('cat "$1"/docs/a.txt "$2"/docs/a.txt', first.point, second.point)).output,
    'first\nsecond\n',
  );
});

/** Starts a program that goes on until the test ends. @returns its process id, once it is what it will be */
async function startUser(t: Teardown, script: string, folder: string, mapped?: RegExp): Promise<number> {
  const child = spawn('bash', ['-c', script, 'bash', folder], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const pid = child.pid ?? 0;
  const ready = mapped
    ? `until grep -qE "${mapped.source}" /proc/$1/maps; do sleep 0.02; done`
    : 'until grep -q sleep /proc/$1/comm; do sleep 0.02; done';
  await shell(ready, String(pid));
  return pid;
}
