import { closeSync, constants, existsSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { writeInPlace } from '../system/in-place.ts';

/** Magic number, from `linux/magic.h`. */
const BTRFS = 0x9123683e;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/**
 * On btrfs, makes the file in which SQLite shares the index of a database's log, if it does not exist yet. btrfs allocates new space for each page that is
 * written through mapped memory; if there is none, it kills the writing process, which may be one that only reads the database. A file that is written in place
 * has its space already. As long as the file is empty, SQLite gives it the owner and the mode of the database.
 */
export function makeLogIndex(file: string): void {
  const index = `${file}-shm`;
  let descriptor: number | undefined;
  try {
    if (statfsSync(dirname(file)).type >>> 0 !== BTRFS || existsSync(index)) return;
    descriptor = openSync(index, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_FILE_MODE);
    writeInPlace(descriptor);
  } catch {
    // In that case SQLite makes the file itself, or reports why nothing can be made, as it does on other disks.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
