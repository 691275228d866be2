import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { EXIT, systemCodeOf, UserError } from '../../core/errors.ts';
import { mountAt } from '../../fuse/mounted-points.ts';

/**
 * Refuses a mount over folders that its own daemon reads and writes: the daemon would send requests to itself, and wait for itself.
 * @param mountpoint absolute; the folder need not exist
 * @throws UserError with the way out
 */
export async function refuseHiding(
  mountpoint: string,
  { selection, state }: Pick<Settings, 'selection' | 'state'>,
): Promise<void> {
  // A mount that is there already need not answer. It is refused or taken over later.
  if ((await mountAt(mountpoint))?.type.startsWith('fuse')) return;
  for (const { folder } of selection.folders) {
    if (!(await isAtOrBelow(folder, mountpoint))) continue;
    throw new UserError(
      `a mount at ${mountpoint} would hide the docs root ${folder} from its own daemon; choose an empty folder beside the docs, or one within them`,
      EXIT.cannotMount,
    );
  }
  if (await isAtOrBelow(state, mountpoint))
    throw new UserError(
      `a mount at ${mountpoint} would hide the state folder ${state} from its own daemon; choose another with --state`,
      EXIT.cannotMount,
    );
  if (!(await isAtOrBelow(mountpoint, await realPathOf(state)))) return;
  throw new UserError(
    `a mount at ${mountpoint} would lie in the state folder ${state}, and hide what scratchpads and others keep there; choose a folder outside of it`,
    EXIT.cannotMount,
  );
}

/** Compares folders by device and inode, since a bind mount gives a folder further names. */
async function isAtOrBelow(folder: string, top: string): Promise<boolean> {
  const identity = await identityOf(top);
  for (let at = await realPathOf(folder); ; at = dirname(at)) {
    if (at === top || (identity !== undefined && (await identityOf(at)) === identity)) return true;
    if (at === dirname(at)) return false;
  }
}

/** The real path of a folder; for one that does not exist yet, the path that it will have. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCodeOf(error) === undefined || path === dirname(path)) throw error;
    return join(await realPathOf(dirname(path)), basename(path));
  }
}

async function identityOf(folder: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(folder, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    // The folder does not exist yet, or cannot be used. Whoever uses it says why.
    return undefined;
  }
}
