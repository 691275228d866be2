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
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCodeOf } from './errors.ts';
import { PERMISSION_BITS, PRIVATE_FILE_MODE } from './file-modes.ts';
import { MAX_NAME_BYTES } from './paths.ts';
import { removeFile, removeMade } from './remove.ts';

const DEFAULT_MODE = 0o666;
const PART_BYTES = 64 * 1024;
/** Of a rename onto a mount point, and onto a file of somebody else in a folder such as /tmp. */
const NOT_REPLACED: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EPERM']);

/**
 * Writes a file in the place of whatever has its name, such as a link.
 * @param mode permissions, as far as the umask lets them. Default: 0o666
 * @throws the disk's error; then all is as it was
 */
export function writeWholeFile(path: string, content: string | Uint8Array, mode = DEFAULT_MODE): void {
  put(path, content, mode, (made) => renameSync(made, path));
}

/** Text or bytes, or parts of them that are made one after the other. */
export type Content = string | Uint8Array | Iterable<Uint8Array>;

/**
 * Replaces the content of a file, which keeps its owner and permissions; behind a link, of the file that it leads to. A pipe or a device is written to, and so
 * is what this process has open, such as /dev/stdout. A file of several names is overwritten, since a new one would take one of the names away from it; so is
 * one that cannot be replaced: a mount point, or one in a folder where this user makes no files or may not remove it.
 * @param mode of a new file, as far as the umask lets it. Default: 0o666
 * @throws the disk's error, such as EACCES for a file that this user may not write to; then a file that is not overwritten is as it was
 */
export function replaceWholeFile(path: string, content: Content, mode?: number): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status !== undefined && !status.isFile()) {
    fill(path, 'w', content);
    return;
  }
  const end = endOf(path);
  const descriptor = ownDescriptor(end);
  if (status === undefined) put(end, content, mode ?? DEFAULT_MODE, (made) => renameSync(made, end));
  else if (descriptor !== undefined) write(descriptor, content);
  else if (status.nlink !== 1 || !mayMakeBeside(end)) fill(end, 'r+', content);
  else {
    accessSync(end, constants.W_OK);
    // Nobody else may open the new one before it has the permissions of the old one.
    put(end, content, PRIVATE_FILE_MODE, (made) => {
      keepOwnerAndMode(made, status);
      replaceBy(made, end);
    });
  }
}

/** Where links lead, at the end of which nothing need be. What is open in a process stays the link that it is: its file may have no name by now. */
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
    fill(path, 'r+', partsOf(made));
    removeFile(made);
  }
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

/** @param flags `r+` for what is there: it is never shorter than the new content in between */
function fill(path: string, flags: 'w' | 'wx' | 'r+', content: Content, mode?: number): void {
  const descriptor = openSync(path, flags, mode);
  try {
    const sizeBytes = write(descriptor, content);
    if (flags === 'w') return;
    if (flags === 'r+') ftruncateSync(descriptor, sizeBytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** @returns how many bytes there were */
function write(descriptor: number, content: Content): number {
  const parts = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  let sizeBytes = 0;
  for (const part of parts) {
    const bytes = Buffer.from(part);
    writeFileSync(descriptor, bytes);
    sizeBytes += bytes.byteLength;
  }
  return sizeBytes;
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

/** @param settle is to leave nothing of the name that was made */
function put(path: string, content: Content, mode: number, settle: (made: string) => void): void {
  const made = besideName(path);
  try {
    fill(made, 'wx', content, mode);
    settle(made);
  } catch (error) {
    removeMade(made);
    throw error;
  }
}

function besideName(path: string): string {
  const ending = `.${randomUUID()}.new`;
  const isTooLong = Buffer.byteLength(basename(path)) + ending.length > MAX_NAME_BYTES;
  return isTooLong ? join(dirname(path), ending) : `${path}${ending}`;
}

function keepOwnerAndMode(made: string, { uid, gid, mode }: Stats): void {
  const own = statSync(made);
  // Only root gives files away, and others to the groups that they are in: else it is this user's, who may write here.
  const isOther = own.uid !== uid || own.gid !== gid;
  if (isOther && !isGiven(made, uid, gid)) isGiven(made, own.uid, gid);
  chmodSync(made, mode & PERMISSION_BITS);
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
