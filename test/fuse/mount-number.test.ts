import { closeSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openFuseDevice } from '../../src/fuse/linux/fuse-channel.ts';
import { clearDeadMount } from '../../src/fuse/mount-point.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { stopProcess } from '../support/stop-process.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { Daemon, isMounted, newMountPoint, shell } from './daemon.ts';
import { needsFuse } from './fuse-available.ts';

onEachDriver(
  "another's dead mount stays that was given the number of a mount that is gone",
  needsFuse(),
  async (t, driver) => {
    const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'small' });
    stopProcess(daemon.pid);
    t.equal((await shell('fusermount3 -u "$1"', daemon.point)).status, 0);
    // The kernel gives the lowest number that is free, to whoever mounts next.
    const points = await Promise.all([1, 2, 3].map(() => deadMount(t)));
    daemon.signal('SIGCONT');
    await daemon.says('unmounted by another');
    t.same(points.map(isMounted), [true, true, true]);
  },
);

/** A mount whose daemon has ended at once. */
async function deadMount(t: Teardown): Promise<string> {
  const point = join(temporaryFolder(t), 'point');
  mkdirSync(point);
  closeSync(await openFuseDevice(point, { fsName: 'kgraphfs', allowOther: false, readOnly: false }));
  t.teardown(() => clearDeadMount(point));
  return point;
}
