import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { EXIT, systemCodeOf, UserError } from '../../core/errors.ts';
import { mountAt } from '../../fuse/mounted-points.ts';

/**
 * Refuses a mount that would lie over what its own daemon reads and writes: that would ask itself, and wait for itself.
 * @param mountpoint absolute; there need not be such a folder
 * @throws UserError with the way out
 */
export async function refuseHiding(
  mountpoint: string,
  { selection, state }: Pick<Settings, 'selection' | 'state'>,
): Promise<void> {
  // What is mounted there need not answer, and is refused or taken over later.
  if ((await mountAt(mountpoint))?.type.startsWith('fuse')) return;
  for (const { folder } of selection.folders) {
    if (!(await isAtOrBelow(folder, mountpoint))) continue;
    throw new UserError(
      `a mount at ${mountpoint} would hide the docs root ${folder} from its own daemon; choose an empty folder beside the docs, or one within them`,
      EXIT.cannotMount,
    );
  }
  if (!(await isAtOrBelow(state, mountpoint))) return;
  throw new UserError(
    `a mount at ${mountpoint} would hide the state folder ${state} from its own daemon; choose another with --state`,
    EXIT.cannotMount,
  );
}

/** By what the folders are and not by their names, which a bind mount adds to. */
async function isAtOrBelow(folder: string, top: string): Promise<boolean> {
  const identity = await identityOf(top);
  for (let at = await realPathOf(folder); ; at = dirname(at)) {
    if (at === top || (identity !== undefined && (await identityOf(at)) === identity)) return true;
    if (at === dirname(at)) return false;
  }
}

/** Of a folder that is to be made, where it will be. */
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
    // It is to be made, or cannot be used; whoever uses it says why.
    return undefined;
  }
}
