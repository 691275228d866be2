import { isUtf8 } from 'node:buffer';
import { readFileSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { removeMadeFolders } from '../disk/remove-if-empty.ts';
import { replaceWholeFile } from '../user-files/replace-file.ts';

/** The text of a config file; undefined where there is none. @throws UserError where it cannot be read, or is no text */
export function readClientConfig(file: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    if (isUtf8(bytes)) return bytes.toString();
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw new UserError(`${file}: it cannot be read: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
  throw new UserError(`${file}: it is no text in UTF-8; the file is left as it is`);
}

/**
 * Replaces a config file whole or not at all, with the owner and the permissions that it had; behind a link, the file that it leads to.
 * @param mode of a new file
 * @returns the first folder that had to be made
 * @throws UserError where it cannot be written; then no folder was made for it
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

/** Removes a file that was made, and the folders that were made for it, as far as nothing else is in them. @throws UserError */
export function removeClientConfig(file: string, madeFolder: string | undefined): void {
  try {
    unlinkSync(file);
  } catch (error) {
    throw new UserError(`${file}: cannot be removed: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
  if (madeFolder !== undefined) removeMadeFolders(file, madeFolder);
}
