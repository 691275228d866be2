import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { onEachDriver } from '../support/each-driver.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { ABORT, Daemon, isMounted, newMountPoint, shell } from './daemon.ts';
import { needsFuse, needsFuseAsRoot } from './fuse-available.ts';

const byRoot = needsFuseAsRoot();

onEachDriver(
  'a mount goes where a folder above it is renamed to, and is taken away there',
  needsFuse(),
  async (t, driver) => {
    const base = newMountPoint(t);
    mkdirSync(join(base, 'before'), { recursive: true });
    const daemon = await Daemon.start(t, { driver, point: join(base, 'before/point'), tree: 'small' });
    renameSync(join(base, 'before'), join(base, 'after'));
    const moved = join(base, 'after/point');
    t.equal((await shell('cat "$1"/docs/a.txt', moved)).output, 'first\n');
    await daemon.tell({ do: 'unmount', whenBusy: 'refuse' });
    t.notOk(isMounted(moved));
  },
);

onEachDriver(
  'a daemon whose mount goes elsewhere serves on, and notices there what becomes of it',
  byRoot,
  async (t, driver) => {
    const base = newMountPoint(t);
    mkdirSync(join(base, 'before'), { recursive: true });
    const daemon = await Daemon.start(t, { driver, point: join(base, 'before/point'), tree: 'small' });
    renameSync(join(base, 'before'), join(base, 'after'));
    const moved = join(base, 'after/point');
    // Both are told of the same changes; when the other has looked, so has this one.
    const other = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'small' });
    const user = spawn('sleep', ['60'], { cwd: other.point });
    t.teardown(() => user.kill());
    await once(user, 'spawn');
    t.equal((await shell('fusermount3 -u -z "$1"', other.point)).status, 0);
    await other.says('unmounted by another');
    t.equal((await shell('cat "$1"/docs/a.txt', moved)).output, 'first\n');
    t.same(await shell(ABORT, moved, temporaryFolder(t)), { status: 0, output: '' });
    await daemon.says('unmounted by another');
    t.notOk(isMounted(moved), 'the dead mount is cleared away');
  },
);
