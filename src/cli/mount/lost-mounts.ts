import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, UserError } from '../../core/errors.ts';
import { mountedPoints } from '../../fuse/mounted-points.ts';
import { hasRecordOpen } from '../../state/open-files.ts';
import { startTicksOf } from '../../state/processes.ts';
import type { StateFolder } from '../../state/state-folder.ts';
import { askMount } from './ask-mount.ts';
import { isOurs } from './mount-point.ts';
import type { MountStatus } from './mount-status.ts';
import { unmountAndWait } from './unmount-and-wait.ts';

const POLL_MS = 20;
const ENDS_WITHIN_MS = 30_000;

/** A mount with the folder that shows it. */
export type LostMount = MountStatus & { readonly mountpoint: string };

/**
 * The mounts of this user whose daemons name this state folder. Meant for a state folder without a live daemon: it was then removed or replaced while they ran,
 * so that their records are gone. A daemon whose record was only moved belongs to the folder that was moved, unless nothing has taken its place.
 */
export async function lostMounts(state: StateFolder): Promise<LostMount[]> {
  const mounts = await mountedPoints();
  const ours = mounts.filter((mounted) => isOurs(mounted) && mounted.userId === process.getuid?.());
  const answers = await Promise.all([...new Set(ours.map(({ point }) => point))].map(askMount));
  return answers.flatMap((answer) => {
    if (answer.kind !== 'alive' || answer.status.state_dir !== state.path) return [];
    const { mountpoint, pid } = answer.status;
    if (existsSync(state.path) && hasRecordOpen(pid)) return [];
    return mountpoint === null ? [] : [{ ...answer.status, mountpoint }];
  });
}

/** Unmounts it and waits for the end of its daemon, which has no record to wait by. @throws UserError if it is in use, or the daemon does not end */
export async function endLostMount({ mountpoint, pid }: LostMount, force: boolean): Promise<void> {
  const ticks = startTicksOf(pid);
  await unmountAndWait(mountpoint, force);
  for (let waitedMs = 0; ticks !== undefined && startTicksOf(pid) === ticks; waitedMs += POLL_MS) {
    if (waitedMs >= ENDS_WITHIN_MS)
      throw new UserError(
        `${mountpoint} is unmounted, but its daemon (pid ${pid}) does not end`,
        EXIT.cannotMount,
      );
    await delay(POLL_MS);
  }
}
