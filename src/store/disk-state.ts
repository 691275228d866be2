import { accessSync, closeSync, constants, existsSync, openSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf, systemCodeOf } from '../core/errors.ts';
import { fileSizeLimit } from '../core/file-size-limit.ts';
import { isNoRoom, type NoRoom } from '../core/room.ts';
import { shellWord } from '../core/shell-word.ts';
import { openUnnamed } from '../core/unnamed-file.ts';
import type { WhyUnusable } from '../core/unreadable-file.ts';

/** What SQLite takes beside a database before its first page is written: an index of the log in shared memory, and the log. */
const LEAST_FREE_BYTES = 64 << 10;

/** The database, its log, the index of that, its folder while one of them is made, and one that is opened just before. */
const FILES_OF_DATABASE = 5;

/** What SQLite says where a file was to become longer. */
const FAILED_WRITES: ReadonlySet<unknown> = new Set([
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_SHMSIZE',
  'SQLITE_IOERR_TRUNCATE',
]);

/** What the system says to who would write a file or make one in its folder, of which SQLite only tells that it failed; undefined where it says nothing. */
export function whyNotWritable(file: string): string | undefined {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    accessSync(dirname(file), W_OK | X_OK);
    if (existsSync(file)) accessSync(file, R_OK | W_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * Why this user, or the disk, keeps a file from being written, or from being made where it would lie, and what to do about it; undefined where nothing
 * does.
 */
export function whyKeptFromWriting(file: string): WhyUnusable | undefined {
  let folder = dirname(file);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  for (const path of existsSync(file) ? [folder, file] : [folder]) {
    const code = refusalToWrite(path);
    if (code === 'EROFS')
      return {
        reason: 'its disk is mounted read-only',
        remedy: 'have the disk mounted for writing, or choose another with --state',
      };
    if (code === 'EPERM')
      return {
        reason: 'it is marked as what nobody may change',
        remedy: `take the mark away with "sudo chattr -i ${shellWord(path)}", or choose another with --state`,
      };
    if (code !== undefined)
      return {
        reason: 'no permission to write there',
        remedy: `open it to yourself with "chmod u+w ${shellWord(path)}", or choose another with --state`,
      };
  }
  return undefined;
}

/** Whether a file is there, or may be, and this user or the disk keeps it from being written. */
export function isUnwritable(file: string): boolean {
  return refusalToWrite(file) !== undefined;
}

function refusalToWrite(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    const code = systemCodeOf(error) ?? '';
    return ['EROFS', 'EACCES', 'EPERM'].includes(code) ? code : undefined;
  }
}

/** What the system says to who would open as many files as a database takes, whichever they are; undefined where it says nothing. */
export function whyNoneOpens(): string | undefined {
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_DATABASE) opened.push(openSync('/', constants.O_RDONLY));
    return undefined;
  } catch (error) {
    return reasonOf(error);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** What SQLite says of a failure, and the limit that a write may have met. */
export function failureOf(error: unknown): string {
  const isWrite = error instanceof Error && 'code' in error && FAILED_WRITES.has(error.code);
  const limit = isWrite ? fileSizeLimit() : undefined;
  return limit === undefined ? reasonOf(error) : `${reasonOf(error)}: ${limit}`;
}

/** Why so little can be stored where a file is that a database cannot be opened; undefined where that is not so, or cannot be asked. */
export function whyNoRoom(file: string): NoRoom | undefined {
  const folder = dirname(file);
  let unnamed: number | undefined;
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < LEAST_FREE_BYTES) return 'ENOSPC';
    unnamed = openUnnamed(folder);
    writeFileSync(unnamed, Buffer.alloc(LEAST_FREE_BYTES));
    return undefined;
  } catch (error) {
    const code = systemCodeOf(error);
    // Else its folder is not there, nothing can be made in it, or files may be so long: it is something else that is wrong.
    return isNoRoom(code) ? code : undefined;
  } finally {
    if (unnamed !== undefined) closeSync(unnamed);
  }
}
