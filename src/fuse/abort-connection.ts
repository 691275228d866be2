import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { systemCodeOf } from '../core/errors.ts';
import type { MountedPoint } from '../system/mount-info.ts';

/** Where the kernel has a folder for each connection, by the minor number of its mount's device: "fusectl", Documentation/filesystems/fuse.rst. */
const CONNECTIONS = '/sys/fs/fuse/connections';
const WITHIN_MS = 3000;

/**
 * Has the kernel end the connection of a mount that does not answer: whoever waits for it goes on with an error (ECONNABORTED, ENOTCONN), and
 * the mount is dead. Its owner may do so where the control files of FUSE are mounted, as systemd has them; root anywhere. Else nothing is done.
 */
export async function abortConnection({ device, point }: MountedPoint): Promise<void> {
  const [, minor] = device.split(':');
  try {
    await writeFile(`${CONNECTIONS}/${minor}/abort`, '1');
    return;
  } catch (error) {
    // There are no control files, or it is another user's.
    if (systemCodeOf(error) === undefined) throw error;
  }
  if (process.getuid?.() !== 0) return;
  // MNT_FORCE of umount2(2) aborts first, and then refuses where somebody uses the mount. Without -c it would ask the mount what it is.
  const child = spawn('umount', ['-f', '-c', '--', point], { stdio: 'ignore', timeout: WITHIN_MS });
  // Whether it could be run or not, what counts is what becomes of the mount.
  await once(child, 'close').catch(() => {});
}
