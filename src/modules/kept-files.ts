import { lstatSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { removeMade, removeTree } from '../disk/remove.ts';

/** A state folder may have come with somebody else's repository. So no link in it is followed when something is read or written for a module. */

/** Makes a folder of a module, within existing ones. @throws Error if it, or one of the two folders above it, is a link or not a folder */
export function makeOwnFolder(folder: string): void {
  for (const path of [dirname(dirname(folder)), dirname(folder), folder]) {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) makeFolders(path, PRIVATE_FOLDER_MODE);
    else if (!status.isDirectory()) throw new Error(`${path}: it is a link, or no folder; remove it`);
  }
}

/** Removes a folder with all that is in it if it contains anything other than files and folders. */
export function clearOfLinks(folder: string): void {
  if (hasOnlyFiles(folder)) return;
  removeTree(folder);
}

function hasOnlyFiles(folder: string): boolean {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status === undefined) return true;
  if (!status.isDirectory()) return false;
  return readdirSync(folder, { withFileTypes: true }).every(
    (entry) => entry.isFile() || (entry.isDirectory() && hasOnlyFiles(join(folder, entry.name))),
  );
}

/**
 * Writes a whole file or none. Whatever has its name, or that of the temporary file, is replaced and never followed.
 * @param folder where the temporary file is made. Default: the folder of the file
 * @throws the error of the disk; then nothing has changed, except that a folder with the name is gone
 */
export function writeKept(file: string, content: string | Uint8Array, folder = dirname(file)): void {
  const temporary = join(folder, `.${process.pid}.new`);
  removeTree(temporary);
  try {
    writeFileSync(temporary, content, { mode: PRIVATE_FILE_MODE, flag: 'wx' });
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) removeTree(file);
    renameSync(temporary, file);
  } catch (error) {
    removeMade(temporary);
    throw error;
  }
}
