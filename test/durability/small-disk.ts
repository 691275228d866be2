import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { needsFuse } from '../fuse/fuse-available.ts';
import type { Teardown } from '../support/temporary.ts';
import { Place, shell } from './place.ts';

const LIMIT_MS = 90_000;
const POLL_MS = 200;

/** What a test is registered with that puts the state folder on a disk of its own: only root can mount one. */
export function needsRoot(): { skip: string | false; timeout: number } {
  const skip = needsFuse().skip || (process.getuid?.() !== 0 && 'this needs root');
  if (skip === 'this needs root')
    process.stdout.write('# tests of full and read-only disks did not run: not root\n');
  return { skip, timeout: 240_000 };
}

/** The same for a disk in a file, which can fail. */
export function needsDiskThatFails(): { skip: string | false; timeout: number } {
  const { skip, timeout } = needsRoot();
  if (skip !== false) return { skip, timeout };
  if (existsSync('/dev/loop-control') && spawnSync('mkfs.ext4', ['-V']).status === 0)
    return { skip, timeout };
  process.stdout.write('# tests of failing disks did not run: there are no loop devices, or no mkfs.ext4\n');
  return { skip: 'this needs loop devices and mkfs.ext4', timeout };
}

/** A place whose state folder is a disk in memory. @param size as `mount -o size=` takes it */
export function onSmallDisk(t: Teardown, size: string): Place {
  const place = new Place(t);
  mkdirSync(place.state, { mode: 0o700 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', place.state]);
  return place;
}

/**
 * Has a disk be as one that was pulled out: nothing can be read or written any more but what is in memory (EIO). `$2` is a folder on it. FS_IOC_SHUTDOWN of
 * `linux/fs.h`, without what is still to be written.
 */
export const VANISH = `python3 -c 'import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack("I", 2))' "$2"`;

/** A place whose state folder is a disk that can fail, as `fail` and {@link VANISH} have it do. */
export function onDiskThatFails(t: Teardown): Place & { fail(): void; repair(): void } {
  const place = new Place(t);
  mkdirSync(place.state, { mode: 0o700 });
  const image = join(place.folder, 'disk');
  writeFileSync(image, '');
  truncateSync(image, 40_000_000);
  execFileSync('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0', '--', image]);
  const mount = () => execFileSync('mount', ['-o', 'loop', '--', image, place.state]);
  mount();
  return Object.assign(place, {
    /** As after an error of the hardware: whatever is written, also to what is open, is refused from now on (EROFS). */
    fail() {
      execFileSync('mount', ['-o', 'remount,abort', '--', place.state], { stdio: 'ignore' });
    },
    /** Nobody may have it open. What was not synced before it failed is gone. */
    repair() {
      execFileSync('umount', ['--', place.state]);
      mount();
    },
  });
}

/** What a shell says of a script; with the word `failed` before it where that ends with an error. */
export async function outcome(script: string, ...args: readonly string[]): Promise<string> {
  const { status, output } = await shell(script, ...args);
  return status === 0 ? output : `failed: ${output}`;
}

export async function eventually(expected: RegExp, look: () => Promise<string>): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  for (;;) {
    const found = await look();
    if (expected.test(found)) return;
    if (limit.aborted) throw new Error(`${found} does not become ${expected}`);
    await delay(POLL_MS);
  }
}
