import { execFileSync } from 'node:child_process';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import t, { type Test } from 'tap';
import { clearAfterEnd } from '../../src/fuse/mount-point.ts';
import { mountAt, type OwnMount } from '../../src/fuse/mounted-points.ts';
import { mountSerialAt } from '../../src/system/file-status.ts';
import { Daemon, isMounted, newMountPoint } from './daemon.ts';
import { needsFuse, needsFuseAsRoot } from './fuse-available.ts';

const TABLE = '/proc/self/mountinfo';

t.test('what another takes away while it is looked at is gone', needsFuse(), async (t) => {
  const own = await deadMount(t);
  atLastLook(t, 'before', () => execFileSync('fusermount3', ['-u', '-z', '--', own.point]));
  await t.resolves(clearAfterEnd(own));
  t.notOk(isMounted(own.point));
});

t.test(
  'what has got its number and its device since, elsewhere, is not the one that is gone',
  needsFuse(),
  async (t) => {
    const own = await deadMount(t);
    const elsewhere = t.testdir({});
    atLastLook(
      t,
      'before',
      () => execFileSync('fusermount3', ['-u', '-z', '--', own.point]),
      (table) => `${table}${own.id} 1 ${own.device} / ${elsewhere} rw - tmpfs none rw\n`,
    );
    await t.resolves(clearAfterEnd(own));
    t.notOk(isMounted(own.point));
  },
);

t.test('what is mounted there by then stays', needsFuseAsRoot(), async (t) => {
  const own = await deadMount(t);
  atLastLook(t, 'after', () => {
    execFileSync('fusermount3', ['-u', '-z', '--', own.point]);
    execFileSync('mount', ['-t', 'tmpfs', 'none', own.point]);
  });
  await clearAfterEnd(own);
  t.ok(isMounted(own.point));
  execFileSync('umount', [own.point]);
});

/** Of a daemon that was killed. */
async function deadMount(t: Test): Promise<OwnMount> {
  const daemon = await Daemon.start(t, { driver: 'linux', point: newMountPoint(t), tree: 'small' });
  const mounted = await mountAt(daemon.point);
  if (mounted === undefined) throw new Error('it is not mounted');
  const own = { ...mounted, serial: mountSerialAt(daemon.point) };
  await daemon.kill('SIGKILL');
  return own;
}

/**
 * Does something at the third look at the table of mounts, which comes when all that is asked of the mount itself has been answered.
 * @param since what the table says from then on
 */
function atLastLook(
  t: Test,
  when: 'before' | 'after',
  act: () => void,
  since = (table: string) => table,
): void {
  const { readFile } = files;
  let looks = 0;
  t.teardown(() => {
    files.readFile = readFile;
    syncBuiltinESMExports();
  });
  const watched = async (...args: Parameters<typeof readFile>) => {
    if (args[0] !== TABLE) return readFile(...args);
    looks += 1;
    if (looks === 3 && when === 'before') act();
    const table = `${await readFile(...args)}`;
    if (looks === 3 && when === 'after') act();
    return looks < 3 ? table : since(table);
  };
  files.readFile = Object.assign(watched, readFile);
  syncBuiltinESMExports();
}
