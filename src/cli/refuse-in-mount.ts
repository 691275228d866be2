import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { isWithin } from '../core/paths.ts';
import { ownMountPoints } from '../source/own-mounts.ts';
import { shellWord } from '../text/shell-word.ts';

/**
 * Refuses a state folder within a mount, where there can be none: a user in a mount means the mounted project. The scratchpad is allowed: its folders are
 * like any other and may hold projects of their own.
 * @throws UserError
 */
export async function refuseInMount(stateFolder: string): Promise<void> {
  const mountpoint = ownMountPoints()
    .filter((point) => isWithin(stateFolder, point))
    .reduce((longest, point) => (point.length > longest.length ? point : longest), '');
  if (mountpoint === '' || isWithin(stateFolder, join(mountpoint, 'context/scratchpad'))) return;
  const { askMount } = await import('./mount/ask-mount.ts');
  const answer = await askMount(mountpoint);
  const { docs, state_dir } = answer.kind === 'alive' ? answer.status : { docs: undefined, state_dir: '' };
  // If there are several docs roots, the config of the project names them.
  const options =
    typeof docs === 'string' ? `, or with --docs ${shellWord(docs)} --state ${shellWord(state_dir)}` : '';
  throw new UserError(
    `${mountpoint} is a mount of kgraphfs, not a project: run this in the folder of the project${options}`,
  );
}
