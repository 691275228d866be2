import { spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, statfsSync, statSync } from 'node:fs';
import { constants as systemConstants } from 'node:os';
import { dirname } from 'node:path';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { switchOffCopyOnWrite } from '../system/copy-on-write.ts';
import { systemError } from '../system/libc.ts';
import { hasLittleRoom } from './disk-state.ts';

/** Magic number, from `linux/magic.h`. */
const BTRFS = 0x9123683e;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/** SQLite makes the index longer by writing one byte in each range of this size. Where blocks are smaller, the rest of the range stays a hole. */
const WRITTEN_RANGE_BYTES = 4096;
/** The indexes of the first 8000 pages of a log, which is more than a log has unless a single transaction is that large. */
const FILLED_BYTES = 64 << 10;
/** What `blocks` of a file's status counts. */
const STATUS_BLOCK_BYTES = 512;

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
    switchOffCopyOnWrite(descriptor);
  } catch {
    // In that case SQLite makes the file itself, or reports why nothing can be made, as it does on other disks.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Called before SQLite opens a file. On a disk with small blocks, a process that stores in a hole of the index is killed (SIGBUS) if there is no room for the hole
 * any more, even if the process only reads the database.
 * @throws Error ENOSPC if the index would have holes for which there is no room
 */
export function refuseHoles(file: string): void {
  if (hasHoles(file) && hasLittleRoom(file)) throw systemError(systemConstants.errno.ENOSPC, 'fallocate');
}

/**
 * Has the disk allocate room for the holes of an index that SQLite has in use, whose content stays as it is. Another process does this: if this one closed a
 * descriptor of the index, it would lose the locks that SQLite has on it (fcntl(2)).
 * @throws Error ENOSPC if there is no room for them
 */
export function fillHoles(file: string): void {
  const index = `${file}-shm`;
  if (!hasHoles(file) || !existsSync(index)) return;
  // The status says nothing: fallocate(1) may be missing, and ext3 cannot allocate holes.
  spawnSync('fallocate', ['-n', '-l', String(FILLED_BYTES), index], { stdio: 'ignore' });
  refuseHoles(file);
}

function hasHoles(file: string): boolean {
  const folder = dirname(file);
  if (!existsSync(folder) || statfsSync(folder).bsize >= WRITTEN_RANGE_BYTES) return false;
  const { blocks = 0 } = statSync(`${file}-shm`, { throwIfNoEntry: false }) ?? {};
  return blocks * STATUS_BLOCK_BYTES < FILLED_BYTES;
}
