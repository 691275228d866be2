/** Files that are written whole or not at all: whoever reads one meanwhile, or after a power cut, sees all of the old content or all of the new one. */

import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { systemCodeOf } from './errors.ts';
import { PERMISSION_BITS, PRIVATE_FILE_MODE } from './file-modes.ts';
import { removeFile } from './remove.ts';

/**
 * Writes a file in the place of whatever has its name, such as a link.
 * @param mode permissions, as far as the umask lets them. Default: 0o666
 * @throws the disk's error; then all is as it was
 */
export function writeWholeFile(path: string, content: string | Uint8Array, mode = 0o666): void {
  put(path, content, mode, () => {});
}

/**
 * Replaces the content of a file, which keeps its owner and permissions; behind a link, of the file that it leads to. A pipe or a device is written to,
 * and a file of several names is overwritten, since a new one would take one of the names away from it.
 * @param mode of a new file, as far as the umask lets it. Default: 0o666
 * @throws the disk's error, such as EACCES for a file that this user may not write to; then a file of one name is as it was
 */
export function replaceWholeFile(path: string, content: string | Uint8Array, mode?: number): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) writeWholeFile(path, content, mode);
  else if (!status.isFile()) writeFileSync(path, content);
  else if (status.nlink > 1) overwrite(path, Buffer.from(content));
  else {
    accessSync(path, constants.W_OK);
    // Nobody else may open the new one before it has the permissions of the old one.
    put(realpathSync(path), content, PRIVATE_FILE_MODE, (made) => keepOwnerAndMode(made, status));
  }
}

/** Never shorter than the new content in between. */
function overwrite(path: string, content: Uint8Array): void {
  writeFileSync(path, content, { flag: 'r+', flush: true });
  truncateSync(path, content.byteLength);
}

function put(path: string, content: string | Uint8Array, mode: number, settle: (made: string) => void): void {
  const made = `${path}.${randomUUID()}.new`;
  try {
    writeFileSync(made, content, { mode, flag: 'wx', flush: true });
    settle(made);
    renameSync(made, path);
  } catch (error) {
    removeFile(made);
    throw error;
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
