import { readFile } from 'node:fs/promises';
import { systemCodeOf } from '../core/errors.ts';
import { mountSerialAt } from '../system/file-status.ts';
import { type MountedPoint, parseMountInfo } from '../system/mount-info.ts';

/** Of proc(5)'s `fdinfo`: the device number of the mount. FUSE has none but minor numbers. */
const CONNECTION = /^fuse_connection:\s*(\d+)$/m;

/** All mounts that this process sees, in the order in which they were made: the last one at a point is the visible one. */
export async function mountedPoints(): Promise<MountedPoint[]> {
  return parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8'));
}

/** A mount of this process, as it was when it was made. */
export interface OwnMount extends MountedPoint {
  /** What no other mount ever has; undefined where the kernel does not tell. */
  readonly serial: bigint | undefined;
}

/**
 * The mount of a connection at its point, over which another may have been made since.
 * @param descriptor of /dev/fuse. @returns undefined where it is gone. @throws Error with a `code` where nobody can look
 */
export async function mountOf(descriptor: number, point: string): Promise<OwnMount | undefined> {
  const about = await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8').catch((error: unknown) => {
    // The descriptor is closed with its connection.
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  });
  if (about === undefined) return undefined;
  const mounts = await mountedPoints();
  const mounted = mountOfConnection(mounts, point, about);
  const isVisible = visibleAt(mounts, point) === mounted;
  return mounted && { ...mounted, serial: isVisible ? mountSerialAt(point) : undefined };
}

/** @param about what the kernel tells of the connection's descriptor */
export function mountOfConnection(
  mounts: readonly MountedPoint[],
  point: string,
  about: string,
): MountedPoint | undefined {
  const device = CONNECTION.exec(about)?.[1];
  // Older kernels do not say which connection a descriptor is of.
  return mounts.findLast(
    (mounted) => mounted.point === point && (device === undefined || mounted.device === `0:${device}`),
  );
}

/**
 * A mount as it is listed now: a folder above it may have been renamed since. Nothing else has its number and its device while its connection
 * lives, whatever was made meanwhile.
 * @returns undefined where it is gone
 */
export function listedNow(
  mounts: readonly MountedPoint[],
  { id, device }: MountedPoint,
): MountedPoint | undefined {
  return mounts.find((mounted) => mounted.id === id && mounted.device === device);
}

/** The visible one of the mounts at a point. */
export function visibleAt(mounts: readonly MountedPoint[], point: string): MountedPoint | undefined {
  return mounts.findLast((mounted) => mounted.point === point);
}

/** The visible mount at a point. */
export async function mountAt(point: string): Promise<MountedPoint | undefined> {
  return visibleAt(await mountedPoints(), point);
}

/** @returns tells whether the very mount is there still: number and device of one that is gone are soon those of another */
export function memoryOf({ id, device, point }: MountedPoint): () => Promise<boolean> {
  const serial = mountSerialAt(point);
  return async () => {
    const now = await mountAt(point);
    return now?.id === id && now.device === device && mountSerialAt(point) === serial;
  };
}
