import { EXIT, reasonOf, systemCodeOf, UserError } from '../../core/errors.ts';
import { abortConnection } from '../../fuse/abort-connection.ts';
import { memoryOf, mountAt, mountedPoints, visibleAt } from '../../fuse/mounted-points.ts';
import { unmountPoint } from '../../fuse/unmount.ts';
import { type DaemonRecord, liveDaemons } from '../../state/daemons.ts';
import { type StateFolder, stateFolderAt } from '../../state/state-folder.ts';
import type { MountedPoint } from '../../system/mount-info.ts';
import { askDaemon, type DaemonAnswer, type MountedDaemon } from './ask-daemon.ts';
import { askMount, type MountAnswer } from './ask-mount.ts';
import { endDaemon, hasEnded } from './end-daemon.ts';
import { isOurs, notMounted } from './mount-point.ts';

/** A daemon that is reading documents ends after it has written its batch, which takes long on a busy machine. */
const ENDS_WITHIN_MS = 30_000;
/** The wait for a daemon that did not answer: the kernel waits for it as long as somebody uses the mount. */
const UNMOUNTS_WITHIN_MS = 3000;

export interface Unmounted {
  /** The daemon that has ended. Undefined if none answered, if it goes on elsewhere, or if the disk of its state folder does not tell. */
  readonly pid: number | undefined;
  /** Whether the daemon of the mount did not answer: then nobody knows whether it ends. */
  readonly isSilent: boolean;
}

/**
 * Unmounts and waits until the daemon has ended. If the mount point is a bind mount of a mount, only that bind mount is removed.
 * @param mountpoint absolute, as the kernel lists it
 * @param force detaches a mount that is in use, and stops waiting for one that does not answer. A mount without a daemon is always detached
 * @throws UserError of status 3 if nothing of ours is mounted there, it is in use, or the daemon does not end
 */
export async function unmountAndWait(mountpoint: string, force: boolean): Promise<Unmounted> {
  const mounts = await mountedPoints();
  const mounted = visibleAt(mounts, mountpoint);
  if (mounted === undefined || !isOurs(mounted)) throw notMounted(mountpoint, mounted);
  return takeAway({ mounts, mounted, force, ask: () => askMount(mountpoint) });
}

interface TakenAway {
  readonly mounts: readonly MountedPoint[];
  /** The topmost mount at its mount point. */
  readonly mounted: MountedPoint;
  readonly force: boolean;
  readonly ask: () => Promise<DaemonAnswer>;
}

async function takeAway({ mounts, mounted, force, ask }: TakenAway): Promise<Unmounted> {
  const { point } = mounted;
  const isStillThere = memoryOf(mounted);
  const answer = await ask();
  if (answer.kind === 'covered') throw notMounted(point, mounted);
  // While the mount was asked, it may have been unmounted by somebody else. What is mounted there by now is not what was meant, even if it answered.
  if (answer.kind === 'unmounted' || !(await isStillThere()))
    return { pid: undefined, isSilent: answer.kind === 'silent' };
  const isOfAnother = isCopy(mounted, mounts, answer);
  const found = isOfAnother ? undefined : daemonOf(answer, point);
  const isSilent = answer.kind === 'silent' && !isOfAnother;
  if (isSilent && force) {
    await abortConnection(mounted);
    // A mount that nobody used is gone once its connection is aborted.
    if ((await mountAt(point)) === undefined) return { pid: undefined, isSilent };
  }
  await unmountPoint(point, {
    whenBusy: force || answer.kind === 'dead' ? 'detach' : 'refuse',
    ...(isSilent && !force ? { withinMs: UNMOUNTS_WITHIN_MS } : {}),
  });
  if (found) await waitForEnd(found);
  return { pid: found?.daemon.pid, isSilent };
}

/** Unmounts a mount whose daemon ended without unmounting. @returns false if there is no such mount by now */
export async function takeDeadAway(mountpoint: string): Promise<boolean> {
  const mounted = await mountAt(mountpoint);
  if (mounted === undefined || !isOurs(mounted)) return false;
  const isStillThere = memoryOf(mounted);
  if ((await askMount(mountpoint)).kind !== 'dead' || !(await isStillThere())) return false;
  await unmountPoint(mountpoint, { whenBusy: 'detach' });
  return true;
}

/** Whether this is a bind mount of a mount that exists elsewhere as well, so that its daemon goes on without it. */
function isCopy(mounted: MountedPoint, mounts: readonly MountedPoint[], answer: MountAnswer): boolean {
  if (mounted.root !== '/') return true;
  if (answer.kind === 'alive' && answer.status.mountpoint === mounted.point) return false;
  return mounts.some(({ id, device }) => device === mounted.device && id !== mounted.id);
}

/** The record of the daemon that answered. Without a record the pid alone proves nothing: it may be another machine's. */
function daemonOf(answer: MountAnswer, mountpoint: string): FoundDaemon | undefined {
  if (answer.kind !== 'alive') return undefined;
  const { pid, state_dir } = answer.status;
  const state = stateFolderAt(state_dir);
  const daemons = recordsIn(state).filter((record) => record.pid === pid);
  // Two daemons in two containers may have the same pid.
  const daemon = daemons.find((record) => record.mountpoint === mountpoint) ?? daemons[0];
  return daemon && { state, daemon };
}

/** The records of daemons; none if the disk of the state folder does not answer, since unmounting only needs them to wait. */
function recordsIn(state: StateFolder): readonly DaemonRecord[] {
  try {
    return liveDaemons(state);
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return [];
  }
}

interface FoundDaemon {
  readonly state: StateFolder;
  readonly daemon: DaemonRecord;
}

/**
 * Ends a daemon together with its mount, and waits until it has ended. A daemon without a mount, or that does not answer, is ended by signals.
 * @throws UserError if its mount is in use or covered, or it does not end
 */
export async function endMounted(daemon: MountedDaemon, state: StateFolder, force: boolean): Promise<void> {
  const mounts = await mountedPoints();
  const mounted = visibleAt(mounts, daemon.mountpoint);
  if (mounted !== undefined) await takeAway({ mounts, mounted, force, ask: () => askDaemon(daemon, state) });
  if (!(await hasEnded(state, daemon, 0))) await endDaemon(state, daemon, { force });
}

/** Waits for a daemon, which ends when it notices that its mount is gone. */
async function waitForEnd({ state, daemon }: FoundDaemon): Promise<void> {
  if (await hasEnded(state, daemon, ENDS_WITHIN_MS)) return;
  try {
    await endDaemon(state, daemon, { force: false });
  } catch (error) {
    throw new UserError(`${daemon.mountpoint} is unmounted, but ${reasonOf(error)}`, EXIT.cannotMount, {
      cause: error,
    });
  }
}
