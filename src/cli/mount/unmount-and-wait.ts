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

/** A daemon that reads documents ends after the batch that it writes, which takes its time where the machine is busy. */
const ENDS_WITHIN_MS = 30_000;
/** Of a daemon that has been asked in vain before: the kernel waits for it as long as somebody uses the mount. */
const UNMOUNTS_WITHIN_MS = 3000;

export interface Unmounted {
  /** The daemon, which has ended; undefined where none answered, it goes on elsewhere, or the disk of its state folder tells nothing of it. */
  readonly pid: number | undefined;
  /** The mount had a daemon that did not answer: nobody knows whether it ends. */
  readonly isSilent: boolean;
}

/**
 * Unmounts and waits until the daemon has ended. Of a bind mount of a mount it takes only that away.
 * @param mountpoint absolute, as the kernel lists it
 * @param force detaches a mount that is in use, and ends the waiting for one that does not answer; one without a daemon is always detached
 * @throws UserError of status 3 where nothing of ours is mounted there, it is in use, or the daemon does not end
 */
export async function unmountAndWait(mountpoint: string, force: boolean): Promise<Unmounted> {
  const mounts = await mountedPoints();
  const mounted = visibleAt(mounts, mountpoint);
  if (mounted === undefined || !isOurs(mounted)) throw notMounted(mountpoint, mounted);
  return takeAway({ mounts, mounted, force, ask: () => askMount(mountpoint) });
}

interface TakenAway {
  readonly mounts: readonly MountedPoint[];
  /** The visible one at its point. */
  readonly mounted: MountedPoint;
  readonly force: boolean;
  readonly ask: () => Promise<DaemonAnswer>;
}

async function takeAway({ mounts, mounted, force, ask }: TakenAway): Promise<Unmounted> {
  const { point } = mounted;
  const isStillThere = memoryOf(mounted);
  const answer = await ask();
  if (answer.kind === 'covered') throw notMounted(point, mounted);
  // Asking took its time. Somebody else was first, and what is mounted there by now is not what was meant, even if it answered.
  if (answer.kind === 'unmounted' || !(await isStillThere()))
    return { pid: undefined, isSilent: answer.kind === 'silent' };
  const isOfAnother = isCopy(mounted, mounts, answer);
  const found = isOfAnother ? undefined : daemonOf(answer, point);
  const isSilent = answer.kind === 'silent' && !isOfAnother;
  if (isSilent && force) {
    await abortConnection(mounted);
    // One that nobody used is gone by that.
    if ((await mountAt(point)) === undefined) return { pid: undefined, isSilent };
  }
  await unmountPoint(point, {
    whenBusy: force || answer.kind === 'dead' ? 'detach' : 'refuse',
    ...(isSilent && !force ? { withinMs: UNMOUNTS_WITHIN_MS } : {}),
  });
  if (found) await waitForEnd(found);
  return { pid: found?.daemon.pid, isSilent };
}

/** Takes a mount away whose daemon ended without unmounting. @returns false where there is none such by now */
export async function takeDeadAway(mountpoint: string): Promise<boolean> {
  const mounted = await mountAt(mountpoint);
  if (mounted === undefined || !isOurs(mounted)) return false;
  const isStillThere = memoryOf(mounted);
  if ((await askMount(mountpoint)).kind !== 'dead' || !(await isStillThere())) return false;
  await unmountPoint(mountpoint, { whenBusy: 'detach' });
  return true;
}

/** Whether this is a bind mount of a mount that is elsewhere, too: its daemon goes on without it. */
function isCopy(mounted: MountedPoint, mounts: readonly MountedPoint[], answer: MountAnswer): boolean {
  if (mounted.root !== '/') return true;
  if (answer.kind === 'alive' && answer.status.mountpoint === mounted.point) return false;
  return mounts.some(({ id, device }) => device === mounted.device && id !== mounted.id);
}

/** The record of the daemon that answered. Without one a number alone proves nothing: it may be another machine's. */
function daemonOf(answer: MountAnswer, mountpoint: string): FoundDaemon | undefined {
  if (answer.kind !== 'alive') return undefined;
  const { pid, state_dir } = answer.status;
  const state = stateFolderAt(state_dir);
  const daemons = recordsIn(state).filter((record) => record.pid === pid);
  // In two containers two daemons may have one number.
  const daemon = daemons.find((record) => record.mountpoint === mountpoint) ?? daemons[0];
  return daemon && { state, daemon };
}

/** None where the disk of the state folder does not say: whoever unmounts needs it only to wait. */
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
 * Ends a daemon with the mount that it has, and waits until it has ended. One without a mount, or that says nothing, is ended by signals.
 * @throws UserError where its mount is in use or covered, or it does not end
 */
export async function endMounted(daemon: MountedDaemon, state: StateFolder, force: boolean): Promise<void> {
  const mounts = await mountedPoints();
  const mounted = visibleAt(mounts, daemon.mountpoint);
  if (mounted !== undefined) await takeAway({ mounts, mounted, force, ask: () => askDaemon(daemon, state) });
  if (!(await hasEnded(state, daemon, 0))) await endDaemon(state, daemon, { force });
}

/** A daemon ends when it sees that its mount is gone. */
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
