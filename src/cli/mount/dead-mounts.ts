import { leftMountpoints, liveDaemons } from '../../state/daemons.ts';
import type { StateFolder } from '../../state/state-folder.ts';
import { askMount } from './ask-mount.ts';
import { takeDeadAway } from './unmount-and-wait.ts';

/** Mounts of this state folder whose daemons ended without unmounting. */
export async function deadMounts(state: StateFolder): Promise<string[]> {
  const dead: string[] = [];
  for (const point of leftMountpoints(state)) {
    // Another project may have mounted there since.
    if ((await askMount(point)).kind === 'dead') dead.push(point);
  }
  return dead;
}

/** Takes them away. @returns which. @throws UserError where one cannot be taken away */
export async function clearDeadMounts(state: StateFolder): Promise<string[]> {
  const cleared: string[] = [];
  for (const point of leftMountpoints(state)) if (await takeDeadAway(point)) cleared.push(point);
  // Their records go, too.
  liveDaemons(state);
  return cleared;
}
