/** Files that are written whole or not at all: whoever reads one meanwhile, or after a power cut, sees all of the old content or all of the new one. */

import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from './errors.ts';
import { PERMISSION_BITS, PRIVATE_FILE_MODE } from './file-modes.ts';
import { removeFile } from './remove.ts';

const DEFAULT_MODE = 0o666;

/**
 * Writes a file in the place of whatever has its name, such as a link.
 * @param mode permissions, as far as the umask lets them. Default: 0o666
 * @throws the disk's error; then all is as it was
 */
export function writeWholeFile(path: string, content: string | Uint8Array, mode = DEFAULT_MODE): void {
  put(path, content, mode, () => {});
}

/** Text or bytes, or parts of them that are made one after the other. */
export type Content = string | Uint8Array | Iterable<Uint8Array>;

/**
 * Replaces the content of a file, which keeps its owner and permissions; behind a link, of the file that it leads to. A pipe or a device is written to,
 * and a file of several names is overwritten, since a new one would take one of the names away from it; so is one in a folder where this user makes none.
 * @param mode of a new file, as far as the umask lets it. Default: 0o666
 * @throws the disk's error, such as EACCES for a file that this user may not write to; then a file of one name is as it was
 */
export function replaceWholeFile(path: string, content: Content, mode?: number): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) put(path, content, mode ?? DEFAULT_MODE, () => {});
  else if (!status.isFile()) fill(path, 'w', content);
  else if (status.nlink > 1 || !mayMakeBeside(path)) fill(path, 'r+', content);
  else {
    accessSync(path, constants.W_OK);
    // Nobody else may open the new one before it has the permissions of the old one.
    put(realpathSync(path), content, PRIVATE_FILE_MODE, (made) => keepOwnerAndMode(made, status));
  }
}

/** @param flags `r+` for what is there: it is never shorter than the new content in between */
function fill(path: string, flags: 'w' | 'wx' | 'r+', content: Content, mode?: number): void {
  const descriptor = openSync(path, flags, mode);
  try {
    const parts = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
    let sizeBytes = 0;
    for (const part of parts) {
      const bytes = Buffer.from(part);
      writeFileSync(descriptor, bytes);
      sizeBytes += bytes.byteLength;
    }
    if (flags === 'w') return;
    if (flags === 'r+') ftruncateSync(descriptor, sizeBytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function mayMakeBeside(path: string): boolean {
  try {
    accessSync(dirname(realpathSync(path)), constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return false;
  }
}

function put(path: string, content: Content, mode: number, settle: (made: string) => void): void {
  const made = `${path}.${randomUUID()}.new`;
  try {
    fill(made, 'wx', content, mode);
    settle(made);
    renameSync(made, path);
  } catch (error) {
    removeMade(made);
    throw error;
  }
}

/** What keeps it from being removed is not what went wrong: that is thrown. */
function removeMade(made: string): void {
  try {
    removeFile(made);
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
  }
}

function keepOwnerAndMode(made: string, { uid, gid, mode }: Stats): void {
  const own = statSync(made);
  if (own.uid !== uid || own.gid !== gid) {
    try {
      chownSync(made, uid, gid);
    } catch (error) {
      // Only root gives files away: it is then this user's, who may write here.
      if (systemCodeOf(error) !== 'EPERM') throw error;
    }
  }
  chmodSync(made, mode & PERMISSION_BITS);
}
