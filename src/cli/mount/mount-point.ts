import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { EXIT, UserError } from '../../core/errors.ts';
import { MOUNT_TYPE } from '../../core/mount-type.ts';
import { mountAt } from '../../fuse/mounted-points.ts';
import type { MountedPoint } from '../../system/mount-info.ts';

/**
 * A mount point as the kernel lists it: absolute, without symbolic links. What is mounted there is not accessed, since
 * it may never answer. If even the parent folder is missing, the path is returned unchanged.
 */
export async function resolveMountPoint(folder: string, workingFolder: string): Promise<string> {
  const path = resolve(workingFolder, folder);
  const parent = await realpath(dirname(path)).catch(() => undefined);
  if (parent === undefined) return path;
  const point = join(parent, basename(path));
  if ((await mountAt(point)) !== undefined) return point;
  return realpath(point).catch(() => point);
}

/** The error for a folder at which nothing of ours is mounted. @param mounted what is mounted there instead */
export function notMounted(mountpoint: string, mounted: MountedPoint | undefined): UserError {
  const what = mounted === undefined ? '' : ` by kgraphfs: it is ${mounted.source} (${mounted.type})`;
  return new UserError(`${mountpoint} is not mounted${what}`, EXIT.cannotMount);
}

export function isOurs(mounted: MountedPoint | undefined): boolean {
  return mounted?.type === MOUNT_TYPE;
}
