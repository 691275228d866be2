import { MOUNT_TYPE } from '../core/mount-type.ts';
import { MountChanges } from '../system/mount-changes.ts';
import { mountPointsOf } from '../system/mount-info.ts';
import { pathsWithin } from './excluded-folders.ts';

/** Reading the table of mounts takes as long as opening some documents, and asking whether it has changed as long as a system call. */
const LOOK_EVERY_MS = 20;
/** The kernel does not tell of a folder that is moved with a mount in it, which changes the table as well. */
const READ_EVERY_MS = 1000;

const changes = new MountChanges();
let known:
  | { readonly points: readonly string[]; readonly readMs: number; readonly untilMs: number }
  | undefined;

/**
 * Returns a function that says whether a path, relative to a folder, is a mount of kgraphfs now, of this or any other daemon. Such a mount shows the docs a
 * second time, and two daemons that look into each other's mounts would wait for each other. Mounts from before this call count at once, later ones within 20
 * ms.
 * @param folder absolute, without links @throws Error with a `code` if the table of mounts cannot be read
 */
export function ownMountsIn(folder: string): (path: string) => boolean {
  lookAtMountsAnew();
  let seen: readonly string[] = [];
  let paths: ReadonlySet<string> = new Set();
  return (path) => {
    const points = ownMountPoints();
    if (points !== seen) {
      seen = points;
      paths = new Set(pathsWithin(folder, points));
    }
    return paths.has(path);
  };
}

/** To be called when something was mounted or unmounted: the table is read again at the next question. */
export function lookAtMountsAnew(): void {
  known = undefined;
}

/**
 * The paths of all kgraphfs mounts, at most 20 ms old; where a folder was moved with a mount in it, at most a second.
 * @throws Error with a `code` if the table of mounts cannot be read
 */
export function ownMountPoints(): readonly string[] {
  const nowMs = performance.now();
  if (known !== undefined && nowMs < known.untilMs) return known.points;
  const isCurrent = !changes.any() && known !== undefined && nowMs - known.readMs < READ_EVERY_MS;
  const before = isCurrent ? known : undefined;
  // If reading fails, the next question reads again.
  known = undefined;
  const { points, readMs } = before ?? { points: mountPointsOf(MOUNT_TYPE), readMs: nowMs };
  known = { points, readMs, untilMs: nowMs + LOOK_EVERY_MS };
  return points;
}
