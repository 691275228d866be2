import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';
import { PERMISSION_BITS, PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { removeFile } from '../disk/remove.ts';
import { type Content, DEFAULT_MODE, fill, makeBeside, writeContent } from '../disk/whole-file.ts';
import { takeAttributes } from './attributes.ts';

const PART_BYTES = 64 * 1024;
/** The errors of a rename onto a mount point, and onto somebody else's file in a folder such as /tmp. */
const NOT_REPLACED: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EPERM']);

/**
 * Replaces the content of a file, which keeps its owner, its permissions, its access control list and the attributes that people have given it. If it
 * is a link, the target is replaced.
 * A pipe or a device is written to, and so is a file that this process has open, such as /dev/stdout. A file with several names is overwritten, since
 * a new one would take one of the names away from it. So is a file that cannot be replaced: a mount point, one in a folder where this user may not
 * make files or remove it, or one with a list or an attribute that the disk does not allow for a new one.
 * @param mode of a new file, as far as the umask allows. Default: 0o666
 * @throws the error of the disk, such as EACCES for a file that this user may not write to; then a file that is not overwritten is as it was
 */
export function replaceWholeFile(path: string, content: Content, mode?: number): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status !== undefined && !status.isFile()) {
    fill(path, 'w', content);
    return;
  }
  const end = endOf(path);
  const descriptor = ownDescriptor(end);
  if (status === undefined) makeBeside(end, content, mode ?? DEFAULT_MODE, (made) => renameSync(made, end));
  else if (descriptor !== undefined) writeContent(descriptor, content);
  else if (status.nlink !== 1 || !mayMakeBeside(end)) fill(end, 'r+', content);
  else {
    accessSync(end, constants.W_OK);
    // Nobody else must be able to open the new file before it has the permissions of the old one.
    makeBeside(end, content, PRIVATE_FILE_MODE, (made) => {
      keepOwner(made, status);
      if (!takeAttributes(made, end)) overwriteWith(made, end);
      else {
        // For a file with an access control list, the bits for the group are the mask of the list. Without the list they would be the rights of the
        // group itself.
        chmodSync(made, status.mode & PERMISSION_BITS);
        replaceBy(made, end);
      }
    });
  }
}

/** Where links lead, whether the target exists or not. A file that is open in a process stays the link that it is: it may have no name any more. */
function endOf(path: string): string {
  const place = join(realpathSync(dirname(path)), basename(path));
  const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || ownDescriptor(place) !== undefined) return place;
  return endOf(resolve(dirname(place), readlinkSync(place)));
}

function ownDescriptor(place: string): number | undefined {
  const [, pid, descriptor] = /^\/proc\/(\d+)\/fd\/(\d+)$/.exec(place) ?? [];
  return Number(pid) === process.pid ? Number(descriptor) : undefined;
}

function replaceBy(made: string, path: string): void {
  try {
    renameSync(made, path);
  } catch (error) {
    if (!NOT_REPLACED.has(systemCodeOf(error))) throw error;
    overwriteWith(made, path);
  }
}

function overwriteWith(made: string, path: string): void {
  fill(path, 'r+', partsOf(made));
  removeFile(made);
}

function* partsOf(file: string): Generator<Uint8Array> {
  const descriptor = openSync(file, 'r');
  try {
    const part = Buffer.alloc(PART_BYTES);
    for (let size = readSync(descriptor, part); size > 0; size = readSync(descriptor, part))
      yield part.subarray(0, size);
  } finally {
    closeSync(descriptor);
  }
}

function mayMakeBeside(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return false;
  }
}

function keepOwner(made: string, { uid, gid }: Stats): void {
  const own = statSync(made);
  // Only root may give files to other users, and users only to groups of theirs. Otherwise the file belongs to this user, who may write here.
  const isOther = own.uid !== uid || own.gid !== gid;
  if (isOther && !isGiven(made, uid, gid)) isGiven(made, own.uid, gid);
}

function isGiven(made: string, uid: number, gid: number): boolean {
  try {
    chownSync(made, uid, gid);
    return true;
  } catch (error) {
    if (systemCodeOf(error) !== 'EPERM') throw error;
    return false;
  }
}
