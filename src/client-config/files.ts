import { isUtf8 } from 'node:buffer';
import { readFileSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { removeMadeFolders } from '../disk/remove-if-empty.ts';
import { replaceWholeFile } from '../user-files/replace-file.ts';

/** The text of a config file; undefined if there is none. @throws UserError if it cannot be read, or is not text */
export function readClientConfig(file: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    if (isUtf8(bytes)) return bytes.toString();
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw new UserError(`${file}: it cannot be read: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
  throw new UserError(`${file}: it is not UTF-8 text; the file is left as it is`);
}

/**
 * Replaces a config file as a whole or not at all, and keeps its owner and permissions. If it is a link, the target is replaced.
 * @param mode of a new file
 * @returns the first folder that had to be made
 * @throws UserError if it cannot be written; then no folder was made for it
 */
export function writeClientConfig(file: string, text: string, mode: number): string | undefined {
  let madeFolder: string | undefined;
  try {
    madeFolder = makeFolders(dirname(file));
    replaceWholeFile(file, text, mode);
    return madeFolder;
  } catch (error) {
    if (madeFolder !== undefined) removeMadeFolders(file, madeFolder);
    throw new UserError(`${file}: cannot be written: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

/** Removes a file that was made, and the folders that were made for it if they are empty. @throws UserError */
export function removeClientConfig(file: string, madeFolder: string | undefined): void {
  try {
    unlinkSync(file);
  } catch (error) {
    throw new UserError(`${file}: cannot be removed: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
  if (madeFolder !== undefined) removeMadeFolders(file, madeFolder);
}
