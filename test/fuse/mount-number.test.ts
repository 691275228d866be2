import { closeSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openFuseDevice } from '../../src/fuse/linux/fuse-channel.ts';
import { clearDeadMount, unmountOwn } from '../../src/fuse/mount-point.ts';
import { mountedPoints, visibleAt } from '../../src/fuse/mounted-points.ts';
import { mountSerialAt } from '../../src/system/file-status.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { stopProcess } from '../support/stop-process.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { Daemon, isMounted, newMountPoint, takeAway } from './daemon.ts';
import { needsFuse } from './fuse-available.ts';

onEachDriver(
  "another's dead mount stays that was given the number of a mount that is gone",
  needsFuse(),
  async (t, driver) => {
    const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'small' });
    stopProcess(daemon.pid);
    await takeAway(t, daemon);
    // The kernel gives the lowest number that is free, to whoever mounts next.
    const points = await Promise.all([1, 2, 3].map(() => deadMount(t)));
    daemon.signal('SIGCONT');
    await daemon.says('unmounted by another');
    t.same(points.map(isMounted), [true, true, true]);
  },
);

onEachDriver(
  "another's live mount stays that has number and device of one that is gone",
  needsFuse(),
  async (t, driver) => {
    const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'small' });
    const mounts = await mountedPoints();
    const mounted = visibleAt(mounts, daemon.point);
    if (mounted === undefined) throw new Error('nothing is mounted');
    await unmountOwn(mounts, { ...mounted, serial: 1n }, { whenBusy: 'refuse' });
    t.ok(isMounted(daemon.point));
    await unmountOwn(mounts, { ...mounted, serial: mountSerialAt(daemon.point) }, { whenBusy: 'detach' });
    t.notOk(isMounted(daemon.point));
    await daemon.says('unmounted by another');
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
