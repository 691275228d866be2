import { randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOf, systemCodeOf } from '../core/errors.ts';
import { isNoRoom, type NoRoom } from '../core/room.ts';
import {
  isOfFailedDisk,
  type Refusal,
  refusalBy,
  refusalOfAccess,
  SEE_KERNEL,
  tooManyFiles,
  whatIsFull,
  whyOnlyRead,
} from '../disk/disk-remedy.ts';
import { fileSizeLimit } from '../disk/process-limits.ts';
import { removeFile } from '../disk/remove.ts';
import { openUnnamed } from '../disk/unnamed-file.ts';
import type { WhyUnusable } from '../disk/unreadable-file.ts';
import { shellWord } from '../text/shell-word.ts';

/** The room that SQLite takes beside a database before its first page is written: for an index of the log in shared memory, and for the log. */
const LEAST_FREE_BYTES = 64 << 10;

/** The database, its log, the index of the log, its folder while one of these is made, and one file that is opened just before. */
const FILES_OF_DATABASE = 5;

/** Errors of SQLite when a file could not be made longer. */
const FAILED_WRITES: ReadonlySet<unknown> = new Set([
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_SHMSIZE',
  'SQLITE_IOERR_TRUNCATE',
]);

/** Why the system refuses to write a file or to make one in its folder, of which SQLite only says that it failed; undefined if it does not refuse. */
export function whyNotWritable(file: string): string | undefined {
  const { R_OK, W_OK, X_OK } = constants;
  const ofFolder = refusalOfAccess(dirname(file), W_OK | X_OK);
  const refusal = ofFolder ?? (existsSync(file) ? refusalOfAccess(file, R_OK | W_OK) : undefined);
  return refusal?.reason;
}

/**
 * Why permissions or the disk prevent a file from being written, or from being made if it does not exist, and what to do about it; undefined if nothing
 * prevents that.
 */
export function whyKeptFromWriting(file: string): WhyUnusable | undefined {
  let folder = dirname(file);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  for (const path of existsSync(file) ? [folder, file] : [folder]) {
    const code = refusalToWrite(path);
    if (code === 'EROFS') {
      const { reason, remedy } = whyOnlyRead(path);
      return { reason, remedy: `${remedy}, or choose another with --state` };
    }
    if (code === 'EPERM')
      return {
        reason: 'it is marked as immutable',
        remedy: `remove the mark with "sudo chattr -i ${shellWord(path)}", or choose another with --state`,
      };
    if (code !== undefined)
      return {
        reason: 'no permission to write there',
        remedy: `open it to yourself with "chmod u+w ${shellWord(path)}", or choose another with --state`,
      };
  }
  return undefined;
}

/** Whether a file, which may not exist yet, is kept from being written by permissions or the disk. */
export function isUnwritable(file: string): boolean {
  return refusalToWrite(file) !== undefined;
}

function refusalToWrite(path: string): string | undefined {
  const code = refusalOfAccess(path, constants.W_OK)?.code ?? '';
  return ['EROFS', 'EACCES', 'EPERM'].includes(code) ? code : undefined;
}

/** Why the system refuses to open as many files as a database needs, whichever they are; undefined if it does not refuse. */
function refusalToOpen(): Refusal | undefined {
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_DATABASE) opened.push(openSync('/', constants.O_RDONLY));
    return undefined;
  } catch (error) {
    return refusalBy(error);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** The message of SQLite for a failure, with the limit that a write may have met. */
export function failureOf(error: unknown): string {
  const isWrite = error instanceof Error && 'code' in error && FAILED_WRITES.has(error.code);
  const limit = isWrite ? fileSizeLimit() : undefined;
  return limit === undefined ? reasonOf(error) : `${reasonOf(error)}: ${limit}`;
}

/** Whether less room is left than a database needs beside it, by the disk's own count. Quotas are not considered, and nothing is written to find out. */
export function hasLittleRoom(file: string): boolean {
  const folder = dirname(file);
  if (!existsSync(folder)) return false;
  const { blocks, bavail, bsize } = statfsSync(folder);
  // What does not count its room, such as a tmpfs without a limit and some disks of FUSE, has 0 of 0.
  return blocks > 0 && bavail * bsize < LEAST_FREE_BYTES;
}

/** What is full and what to do about it, if {@link whyNoRoom} finds something. */
export function whyFull(file: string): WhyUnusable | undefined {
  const noRoom = whyNoRoom(file);
  return noRoom && whatIsFull(noRoom, dirname(file));
}

/** Why there is too little room beside a file for a database to be opened; undefined if there is enough, or if that cannot be found out. */
export function whyNoRoom(file: string): NoRoom | undefined {
  const code = refusalOfDisk(file)?.code;
  // Any other error is another problem: the folder is missing, nothing can be made in it, or it is a limit on the size of files.
  return isNoRoom(code) ? code : undefined;
}

/**
 * Why a file could not be opened, read or written, if SQLite says no more than that; undefined if no reason is found.
 * @param error an error of SQLite or of the system
 */
export function whyMachineRefuses(error: unknown, file: string): WhyUnusable | undefined {
  if (systemCodeOf(error) !== undefined) return whyRefused(refusalBy(error), dirname(file));
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^SQLITE_(?:FULL|IOERR|CANTOPEN)/.test(code)) return undefined;
  if (code === 'SQLITE_FULL') return whatIsFull('ENOSPC', dirname(file));
  const refusal = refusalToOpen() ?? refusalOfDisk(file);
  const why = refusal && whyRefused(refusal, dirname(file));
  if (why !== undefined) return why;
  const said = failureOf(error);
  const isOfLimit = said !== reasonOf(error);
  return code.startsWith('SQLITE_IOERR') && !isOfLimit ? { reason: said, remedy: SEE_KERNEL } : undefined;
}

function whyRefused({ code, reason }: Refusal, folder: string): WhyUnusable | undefined {
  if (isNoRoom(code)) return whatIsFull(code, folder);
  const remedy = tooManyFiles(code) ?? (isOfFailedDisk(code) ? SEE_KERNEL : undefined);
  return remedy === undefined ? undefined : { reason, remedy };
}

/** The disk's refusal to make a file beside this one and to write the least that SQLite needs. The file is removed again. */
function refusalOfDisk(file: string): Refusal | undefined {
  const folder = dirname(file);
  // `check` removes files of such a name that a killed process has left.
  const named = join(folder, `check-${process.pid}-${randomUUID()}`);
  let unnamed: number | undefined;
  try {
    if (hasLittleRoom(file)) return { code: 'ENOSPC', reason: 'the disk is full' };
    unnamed = openUnnamed(folder);
    writeFileSync(unnamed, Buffer.alloc(LEAST_FREE_BYTES));
    // A name takes room of its own, which runs out first on xfs.
    closeSync(openSync(named, 'wx'));
    removeFile(named);
    return undefined;
  } catch (error) {
    return refusalBy(error);
  } finally {
    if (unnamed !== undefined) closeSync(unnamed);
  }
}
