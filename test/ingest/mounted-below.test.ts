import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { MountsBelow } from '../../src/system/mounts-below.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { watching } from './watch-fixture.ts';

const skip = process.getuid?.() !== 0 && 'this needs root';

/** Mounts; @returns what unmounts, which happens at the end of the test in any case */
function mounted(t: Test, point: string, ...how: readonly string[]): () => void {
  execFileSync('mount', [...how, point]);
  let isMounted = true;
  const unmount = () => {
    // What is watched there may keep it busy.
    if (isMounted) execFileSync('umount', ['-l', point]);
    isMounted = false;
  };
  t.teardown(unmount);
  return unmount;
}

for (const kind of ['a bind mount', 'a disk of its own']) {
  t.test(
    `what is mounted below the docs is followed, and what was there before: ${kind}`,
    { skip },
    async (t) => {
      const folder = realpathSync(temporaryFolder(t));
      const point = join(folder, 'docs/a/mount point');
      mkdirSync(join(point, 'before'), { recursive: true });
      mkdirSync(join(folder, 'other/inner'), { recursive: true });
      const watched = await watching(t, { docs: join(folder, 'docs') });
      const how = kind === 'a bind mount' ? ['--bind', join(folder, 'other')] : ['-t', 'tmpfs', 'none'];
      const tells = async (path: string) => {
        await watched.settled();
        writeFileSync(join(folder, 'docs', path), 'x');
        await watched.tells(path);
      };
      const unmount = mounted(t, point, ...how);
      await watched.tells('a/mount point');
      await tells('a/mount point/x.md');
      mkdirSync(join(point, 'later'));
      await tells('a/mount point/later/x.md');
      if (kind === 'a bind mount') await tells('a/mount point/inner/x.md');
      await watched.settled();
      unmount();
      await watched.tells('a/mount point');
      await tells('a/mount point/before/x.md');
      await tells('a/x.md');
      t.pass('all was told');
    },
  );
}

t.test('of mounts elsewhere, of those above, and of those left out nothing is said', { skip }, async (t) => {
  const folder = realpathSync(temporaryFolder(t));
  for (const name of ['docs/in', 'docs/out', 'docs-2']) mkdirSync(join(folder, name), { recursive: true });
  const mounts = new MountsBelow(join(folder, 'docs'), (path) => path === 'out');
  mounted(t, join(folder, 'docs-2'), '-t', 'tmpfs', 'none');
  mounted(t, join(folder, 'docs'), '--bind', join(folder, 'docs'));
  mounted(t, join(folder, 'docs/out'), '-t', 'tmpfs', 'none');
  t.same(mounts.changed(), []);
  const unmount = mounted(t, join(folder, 'docs/in'), '-t', 'tmpfs', 'none');
  t.same(mounts.changed(), ['in']);
  t.same(mounts.changed(), []);
  unmount();
  t.same(mounts.changed(), ['in']);
});
