import { statSync } from 'node:fs';
import { mountedPoints, visibleAt } from '../../fuse/mounted-points.ts';
import { type DaemonRecord, daemonsAtWork } from '../../state/daemons.ts';
import { type StateFolder, stateFolderAt } from '../../state/state-folder.ts';
import { askMount, type MountAnswer } from './ask-mount.ts';
import { isOurs } from './mount-point.ts';

/** The record of a daemon with a mount. */
export type MountedDaemon = DaemonRecord & { readonly mountpoint: string };

/** What was found at the mount point of a running daemon. */
export type DaemonAnswer =
  | MountAnswer
  /** Its mount is gone, at least from there, whatever else is mounted there now. */
  | { readonly kind: 'unmounted' }
  /** Its mount is covered by one that is none of ours. */
  | { readonly kind: 'covered'; readonly by: string };

/** Asks a daemon at the mount point in its record, where something else may have been mounted since. A mount that does not answer is taken for the daemon's. */
export async function askDaemon(daemon: MountedDaemon, state: StateFolder): Promise<DaemonAnswer> {
  const mounts = await mountedPoints();
  const visible = visibleAt(mounts, daemon.mountpoint);
  if (visible === undefined) return { kind: 'unmounted' };
  if (!isOurs(visible)) {
    const isBelow = mounts.some((mounted) => mounted.point === visible.point && isOurs(mounted));
    return isBelow ? { kind: 'covered', by: `${visible.source} (${visible.type})` } : { kind: 'unmounted' };
  }
  const answer = await askMount(daemon.mountpoint);
  if (answer.kind !== 'alive') return answer;
  const { pid, state_dir } = answer.status;
  return pid === daemon.pid && !isOfAnother(state_dir, pid, state) ? answer : { kind: 'unmounted' };
}

/**
 * Whether it is a daemon of another folder that answered, which may have the same pid in another container. A daemon names its folder by the path that it
 * had at the start: since then the folder may have been moved, and another one may have taken its place.
 */
function isOfAnother(named: string, pid: number, state: StateFolder): boolean {
  if (isSameFolder(named, state.path)) return false;
  return daemonsAtWork(stateFolderAt(named)).some((other) => other.pid === pid);
}

function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((folder) => statSync(folder, { throwIfNoEntry: false, bigint: true }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
