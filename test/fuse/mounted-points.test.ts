import { closeSync, promises as files, openSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import t from 'tap';
import { DEFAULT_MOUNT_OPTIONS } from '../../src/fuse/driver.ts';
import { listedNow, mountedPoints, mountOf, mountOfConnection } from '../../src/fuse/mounted-points.ts';
import { parseMountInfo } from '../../src/system/mount-info.ts';
import { DRIVER_FACTS } from '../support/drivers.ts';
import { onEachDriver } from '../support/each-driver.ts';
import type { Teardown } from '../support/temporary.ts';
import { isMounted, newMountPoint } from './daemon.ts';
import { needsFuse } from './fuse-available.ts';
import { FakeTree } from './linux/fake-tree.ts';

t.test('of two mounts at a point that of a connection is known by its device', async (t) => {
  const line = (id: number, device: string) => `${id} 1 ${device} / /ctx rw - fuse.kgraphfs kgraphfs rw`;
  const mounts = parseMountInfo([line(7, '0:39'), line(8, '0:40')].join('\n'));
  const about = 'pos:\t0\nflags:\t0100002\nino:\t103\nfuse_connection:\t39\n';
  t.match(mountOfConnection(mounts, '/ctx', about), { id: 7 });
  t.equal(mountOfConnection(mounts, '/other', about), undefined);
  t.equal(mountOfConnection(mounts, '/ctx', about.replace('39', '41')), undefined);
  t.match(mountOfConnection(mounts, '/ctx', 'pos:\t0\n'), { id: 8 }, 'older kernels do not say');
});

t.test('a mount that was given the number of another is not that one', async (t) => {
  const [before, moved, next] = parseMountInfo(
    ['7 1 0:39 / /a/ctx', '7 1 0:39 / /b/ctx', '7 1 0:40 / /a/ctx']
      .map((start) => `${start} rw - fuse.kgraphfs kgraphfs rw`)
      .join('\n'),
  );
  if (!before || !moved || !next) throw new Error('these are no mounts');
  t.equal(listedNow([moved], before), moved);
  t.equal(listedNow([next], before), undefined);
});

t.test('this system has a root', async (t) => {
  t.ok((await mountedPoints()).some(({ point }) => point === '/'));
});

const NO_MORE_FILES = Object.assign(new Error('EMFILE: too many open files'), {
  code: 'EMFILE',
  syscall: 'open',
});

/** What the kernel says of descriptors cannot be read until the test ends: nothing else is asked for in that moment. */
function lackFilesForDescriptors(t: Teardown): void {
  const { readFile } = files;
  const setTo = (instead: unknown): void => {
    Object.assign(files, { readFile: instead });
    syncBuiltinESMExports();
  };
  t.teardown(() => setTo(readFile));
  setTo((file: string, ...rest: unknown[]) =>
    file.startsWith('/proc/self/fdinfo/')
      ? Promise.reject(NO_MORE_FILES)
      : Reflect.apply(readFile, files, [file, ...rest]),
  );
}

t.test('a mount is gone when its descriptor is, and not where nobody can look', async (t) => {
  const descriptor = openSync('/dev/null', 'r');
  closeSync(descriptor);
  t.equal(await mountOf(descriptor, '/'), undefined);
  lackFilesForDescriptors(t);
  await t.rejects(mountOf(descriptor, '/'), { code: 'EMFILE' });
});

onEachDriver(
  'where it cannot be found out which mount was made, it is told why, and nothing stays mounted',
  needsFuse(),
  async (t, driver) => {
    const point = newMountPoint(t);
    const bugs: unknown[] = [];
    lackFilesForDescriptors(t);
    const { mount } = DRIVER_FACTS[driver].make((error) => bugs.push(error));
    await t.rejects(mount(new FakeTree(), point, DEFAULT_MOUNT_OPTIONS), { code: 'EMFILE' });
    t.notOk(isMounted(point));
    t.same(bugs, []);
  },
);
