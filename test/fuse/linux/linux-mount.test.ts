import { readdirSync, readlinkSync } from 'node:fs';
import t, { type Test } from 'tap';
import { DEFAULT_MOUNT_OPTIONS, type MountOptions } from '../../../src/fuse/driver.ts';
import { linuxDriver } from '../../../src/fuse/linux/linux-driver.ts';
import { until } from '../../cli/mount/mount-place.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { within } from '../../support/within.ts';
import { ABORT, isMounted, newMountPoint, shell } from '../daemon.ts';
import { needsFuse, needsFuseAsRoot } from '../fuse-available.ts';
import { FakeTree } from './fake-tree.ts';

/** How long the first request is waited for, as nothing else is here. */
const FIRST_REQUEST_WITHIN_MS = 10_000;
/** Against what hangs; a machine that is busy may take its time. */
const LIMIT_MS = 60_000;

function devices(): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => targetOf(descriptor) === '/dev/fuse').length;
}

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // It was that of the folder.
    return '';
  }
}

async function failsToMount(t: Test, options: MountOptions): Promise<void> {
  const point = newMountPoint(t);
  const bugs: unknown[] = [];
  const driver = linuxDriver((error) => bugs.push(error));
  await t.rejects(driver.mount(new FakeTree(), point, options), { message: 'on the way' });
  t.notOk(isMounted(point), 'nothing is mounted');
  await until('no connection to be open', () => devices() === 0);
  t.same(bugs, []);
}

const byRoot = needsFuseAsRoot();

t.test('where what is to serve cannot be made, nothing stays mounted', needsFuse(), async (t) => {
  let reads = 0;
  await failsToMount(t, {
    ...DEFAULT_MOUNT_OPTIONS,
    get deadlineMs(): number {
      reads += 1;
      // All options are looked at once before anything is mounted.
      if (reads > 1) throw new Error('on the way');
      return DEFAULT_MOUNT_OPTIONS.deadlineMs;
    },
  });
});

t.test('where serving cannot begin, nothing stays mounted', needsFuse(), async (t) => {
  const { setTimeout } = globalThis;
  const failing = (act: () => void, waitMs?: number) => {
    if (waitMs === FIRST_REQUEST_WITHIN_MS) throw new Error('on the way');
    return setTimeout(act, waitMs);
  };
  globalThis.setTimeout = Object.assign(failing, { __promisify__: setTimeout.__promisify__ });
  t.teardown(() => {
    globalThis.setTimeout = setTimeout;
  });
  await failsToMount(t, DEFAULT_MOUNT_OPTIONS);
});

t.test('a mount whose connection ends is over, though a file fails to close', byRoot, async (t) => {
  const point = newMountPoint(t);
  const tree = new FakeTree();
  tree.putFile('/a', 1);
  tree.putFile('/b', 1);
  let closed = 0;
  tree.openUnnoted = () => ({
    sizeBytes: 10,
    read: () => 0,
    close() {
      closed += 1;
      throw new Error('the disk is full');
    },
  });
  const bugs: unknown[] = [];
  const mounted = await linuxDriver((error, operation) => bugs.push([error, operation])).mount(
    tree,
    point,
    DEFAULT_MOUNT_OPTIONS,
  );
  const aborted = await shell(`exec 3<"$1/a" 4<"$1/b"; ${ABORT}`, point, temporaryFolder(t));
  t.same(aborted, { status: 0, output: '' });
  t.equal(await within(LIMIT_MS, mounted.ended), 'unmounted by another');
  t.notOk(isMounted(point));
  t.equal(closed, 2);
  t.match(bugs, [[{ message: 'the disk is full' }, 'release']]);
  t.equal(bugs.length, 1);
  t.equal(devices(), 0);
});
