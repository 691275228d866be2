import { mountedPoints } from '../../fuse/mounted-points.ts';
import type { StateFolder } from '../../state/state-folder.ts';
import { askMount } from './ask-mount.ts';
import { isOurs } from './mount-point.ts';
import type { MountStatus } from './mount-status.ts';

/** A mount with the folder that shows it. */
export type LostMount = MountStatus & { readonly mountpoint: string };

/**
 * The mounts of this user whose daemons name this state folder. Meant for a state folder without a live daemon: it was then removed or replaced while they ran,
 * so that their records are gone.
 */
export async function lostMounts(state: StateFolder): Promise<LostMount[]> {
  const mounts = await mountedPoints();
  const ours = mounts.filter((mounted) => isOurs(mounted) && mounted.userId === process.getuid?.());
  const answers = await Promise.all([...new Set(ours.map(({ point }) => point))].map(askMount));
  return answers.flatMap((answer) => {
    if (answer.kind !== 'alive' || answer.status.state_dir !== state.path) return [];
    const { mountpoint } = answer.status;
    return mountpoint === null ? [] : [{ ...answer.status, mountpoint }];
  });
}
