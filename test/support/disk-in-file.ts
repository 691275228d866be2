import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsRootToMount } from './disk-in-memory.ts';
import { type Teardown, temporaryFolder } from './temporary.ts';

/** How a disk is made in a file, and how large it has to be for that. */
interface DiskKind {
  readonly make: readonly [program: string, ...options: string[]];
  readonly sizeBytes: number;
}

export const BTRFS: DiskKind = { make: ['mkfs.btrfs', '-q', '--'], sizeBytes: 120 << 20 };
/** An ext4 whose blocks are a quarter of a page, as those of small disks are. */
export const SMALL_BLOCKS: DiskKind = {
  make: ['mkfs.ext4', '-q', '-b', '1024', '-m', '0', '--'],
  sizeBytes: 8 << 20,
};

/** What a test is registered with that mounts a disk in a file. */
export function needsDiskInFile({ make: [program] }: DiskKind): { skip: string | false } {
  const { skip } = needsRootToMount;
  if (skip !== false) return { skip };
  if (existsSync('/dev/loop-control') && spawnSync(program, ['-V']).status === 0) return { skip: false };
  process.stdout.write(
    `# tests of a disk in a file did not run: there are no loop devices, or no ${program}\n`,
  );
  return { skip: `this needs loop devices and ${program}` };
}

/** A small disk in a file. What is open on it is closed before the test ends. */
export function diskInFile(t: Teardown, { make: [program, ...options], sizeBytes }: DiskKind): string {
  const folder = temporaryFolder(t);
  const [image, disk] = [join(folder, 'image'), join(folder, 'disk')];
  mkdirSync(disk);
  writeFileSync(image, '');
  truncateSync(image, sizeBytes);
  execFileSync(program, [...options, image], { stdio: 'ignore' });
  execFileSync('mount', ['-o', 'loop', '--', image, disk]);
  t.teardown(() => execFileSync('umount', ['--', disk]));
  return disk;
}
