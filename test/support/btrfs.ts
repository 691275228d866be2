import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsRootToMount } from './disk-in-memory.ts';
import { type Teardown, temporaryFolder } from './temporary.ts';

const IMAGE_BYTES = 120 << 20;

/** What a test is registered with that mounts a disk of btrfs. */
export function needsBtrfs(): { skip: string | false } {
  const { skip } = needsRootToMount;
  if (skip !== false) return { skip };
  if (existsSync('/dev/loop-control') && spawnSync('mkfs.btrfs', ['--version']).status === 0)
    return { skip: false };
  process.stdout.write(
    '# tests of a disk of btrfs did not run: there are no loop devices, or no mkfs.btrfs\n',
  );
  return { skip: 'this needs loop devices and mkfs.btrfs' };
}

/** A small disk of btrfs. What is open on it is closed before the test ends. */
export function onBtrfs(t: Teardown): string {
  const folder = temporaryFolder(t);
  const [image, disk] = [join(folder, 'image'), join(folder, 'disk')];
  mkdirSync(disk);
  writeFileSync(image, '');
  truncateSync(image, IMAGE_BYTES);
  execFileSync('mkfs.btrfs', ['-q', '--', image], { stdio: 'ignore' });
  execFileSync('mount', ['-o', 'loop', '--', image, disk]);
  t.teardown(() => execFileSync('umount', ['--', disk]));
  return disk;
}
