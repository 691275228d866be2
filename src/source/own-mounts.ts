import { MOUNT_TYPE } from '../core/mount-type.ts';
import { mountPointsOf } from '../system/mount-info.ts';
import { pathsWithin } from './excluded-folders.ts';

/** To read the table of mounts takes as long as to open some documents. */
const LOOK_EVERY_MS = 20;

let known: { readonly points: readonly string[]; readonly untilMs: number } | undefined;

/**
 * Says which paths, relative to a folder, are mounts of kgraphfs by now, whose ever: they show the docs once more, and two daemons that each look
 * into the mount of the other would wait for each other. What is mounted before this is called counts at once, what is mounted later within 20 ms.
 * @param folder absolute, without links @throws Error with a `code` where the table of mounts cannot be read
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

/** For who knows that something was mounted or unmounted. */
export function lookAtMountsAnew(): void {
  known = undefined;
}

/** Where all of them are, as it was at most 20 ms ago. @throws Error with a `code` where the table of mounts cannot be read */
export function ownMountPoints(): readonly string[] {
  const nowMs = performance.now();
  if (known === undefined || nowMs >= known.untilMs) {
    known = { points: mountPointsOf(MOUNT_TYPE), untilMs: nowMs + LOOK_EVERY_MS };
  }
  return known.points;
}
