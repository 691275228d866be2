import { leftMountpoints, liveDaemons } from '../../state/daemons.ts';
import type { StateFolder } from '../../state/state-folder.ts';
import { askMount } from './ask-mount.ts';
import { takeDeadAway } from './unmount-and-wait.ts';

/** The mount points of this state folder whose daemons ended without unmounting. */
export async function deadMounts(state: StateFolder): Promise<string[]> {
  const dead: string[] = [];
  for (const point of leftMountpoints(state)) {
    // Another project may have mounted there since.
    if ((await askMount(point)).kind === 'dead') dead.push(point);
  }
  return dead;
}

/** Unmounts the dead mounts. @returns their mount points. @throws UserError if one cannot be unmounted */
export async function clearDeadMounts(state: StateFolder): Promise<string[]> {
  const cleared: string[] = [];
  for (const point of leftMountpoints(state)) if (await takeDeadAway(point)) cleared.push(point);
  // This removes their records as well.
  liveDaemons(state);
  return cleared;
}
