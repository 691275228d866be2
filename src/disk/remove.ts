import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';

/**
 * Removes a file or link if it exists, as `rm -f` does. It does not use rmSync, whose errors lack a code for most of errno(3) since Node.js 24. @throws Error
 * of the system
 */
export function removeFile(path: string): void {
  unlessGone(() => unlinkSync(path));
}

/** Removes a file that turned out to be useless. If it cannot be removed, that is not reported: the caller throws the error that matters. */
export function removeMade(path: string): void {
  try {
    removeFile(path);
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
  }
}

/** Removes whatever is at a path, with everything in it, as `rm -rf` does. Follows no link. @throws Error of the system, about what could not be removed */
export function removeTree(path: string): void {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory() !== true) {
    removeFile(path);
    return;
  }
  unlessGone(() => {
    for (const name of readdirSync(path)) removeTree(join(path, name));
    rmdirSync(path);
  });
}

/** Ignores a missing file: somebody else may be removing the same one. */
function unlessGone(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}
