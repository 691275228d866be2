import { closeSync, constants, existsSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { writeInPlace } from '../system/in-place.ts';

/** Of `linux/magic.h`. */
const BTRFS = 0x9123683e;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/**
 * Makes the file in which SQLite shares the index of a database's log, where there is none yet and the disk is btrfs. That takes new room for each page
 * that is stored in mapped memory, and where it has none it kills who stores, also who only reads the database; what is written in place has its room.
 * SQLite gives the file, as long as it is empty, the owner and the mode of the database.
 */
export function makeLogIndex(file: string): void {
  const index = `${file}-shm`;
  let descriptor: number | undefined;
  try {
    if (statfsSync(dirname(file)).type >>> 0 !== BTRFS || existsSync(index)) return;
    descriptor = openSync(index, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_FILE_MODE);
    writeInPlace(descriptor);
  } catch {
    // SQLite makes it itself then, or says why nothing can be made, and all is as on a disk that has no such files.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
