import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';

/** Removes a file or a link, where there is one, as `rm -f` does: not by rmSync, whose errors have no code for most of errno(3) since Node.js 24. @throws Error of the system */
export function removeFile(path: string): void {
  unlessGone(() => unlinkSync(path));
}

/** Removes a file that was made in vain. What keeps it from being removed is not what went wrong: that is what the caller throws. */
export function removeMade(path: string): void {
  try {
    removeFile(path);
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
  }
}

/** Removes whatever there is, with all that is in it, as `rm -rf` does, and follows no link. @throws Error of the system, about what stays */
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

/** Somebody else may be removing the same. */
function unlessGone(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}
