import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf, systemCodeOf } from '../core/errors.ts';
import type { NoRoom } from '../core/room.ts';
import type { WhyUnusable } from './unreadable-file.ts';

/** Magic number from `linux/magic.h`. ext2 and ext3 have it too, as the same code serves them. */
const EXT4 = 0xef53;
const STOPPED = 'emergency_ro';
const NO_SUCH_OPEN = {
  EMFILE:
    'this process may not have as many files open as it needs (EMFILE); raise the limit: ulimit -n 4096, or LimitNOFILE=4096 in a systemd unit',
  ENFILE:
    'this machine may not have more files open than it has now (ENFILE); end programs that have many open, or raise the limit, as root: sysctl fs.file-max=1000000',
} as const;
const FAILED: ReadonlySet<string | undefined> = new Set(['EIO', 'ENXIO', 'ENODEV', 'ESTALE', 'EUCLEAN']);
/** Said of a disk that fails or is gone. */
export const SEE_KERNEL = 'the kernel says what is wrong with the disk (dmesg)';

/** The answer of a system that did not do what it was asked. */
export interface Refusal {
  /** A code of errno(3). */
  readonly code: string;
  readonly reason: string;
}

/** For an error of too many open files, the reason with the way out; undefined for any other error. */
export function tooManyFiles(code: unknown): string | undefined {
  return code === 'EMFILE' || code === 'ENFILE' ? NO_SUCH_OPEN[code] : undefined;
}

/**
 * Why the system would not let this process use an existing path in a certain way, as access(2) says; undefined if it would. access(2) does not notice an ext4
 * that has met an error: since Linux 6.15 such a disk stays mounted for writing and refuses each write (EROFS). That is found here, too.
 * @param mode as for access(2)
 */
export function refusalOfAccess(path: string, mode: number): Refusal | undefined {
  try {
    accessSync(path, mode);
    if ((mode & constants.W_OK) === 0 || !isStopped(path)) return undefined;
    return { code: 'EROFS', reason: `EROFS: read-only file system, access '${path}'` };
  } catch (error) {
    return refusalBy(error);
  }
}

/** @throws the error itself if it does not come from the system */
export function refusalBy(error: unknown): Refusal {
  const code = systemCodeOf(error);
  if (code === undefined) throw error;
  return { code, reason: reasonOf(error) };
}

/** For a disk that is read-only, why that is, and how it can be made writable. */
export function whyOnlyRead(path: string): WhyUnusable {
  if (!isStopped(path))
    return { reason: 'its disk is mounted read-only', remedy: 'have the disk mounted for writing' };
  return {
    reason: 'its disk met an error, and is only read since then',
    remedy: 'unmount the disk, repair it with fsck, and mount it again',
  };
}

/** What is used up on the disk of a folder, and the way out. */
export function whatIsFull(code: NoRoom, folder: string): WhyUnusable {
  if (code === 'EDQUOT') return { reason: 'your quota of the disk is used up', remedy: 'free some space' };
  if (lacksInodes(folder))
    return { reason: 'the disk takes no more files, as it has no inodes left', remedy: 'remove some files' };
  return { reason: 'the disk is full', remedy: 'free some space' };
}

/**
 * What a person can do after the system has refused a file of the state folder, as a clause.
 * @param code a code of errno(3)
 * @param folder the folder of the file
 */
export function wayOut(code: string | undefined, folder: string): string {
  const another = 'choose another --state folder';
  if (code === 'ENOSPC' && lacksInodes(folder))
    return `the disk has no inodes left: remove some files, or ${another}`;
  if (code === 'ENOSPC' || code === 'EDQUOT') return `free some space, or ${another}`;
  if (code === 'EROFS') return `${whyOnlyRead(folder).remedy}, or ${another}`;
  if (FAILED.has(code)) return `${SEE_KERNEL}; repair it, or ${another}`;
  return tooManyFiles(code) ?? another;
}

/** Whether the code means that the disk has failed or is gone. */
export function isOfFailedDisk(code: string | undefined): boolean {
  return FAILED.has(code);
}

/** A disk that does not count inodes, such as btrfs, says that it has 0 of 0. */
function lacksInodes(folder: string): boolean {
  try {
    const { files, ffree } = statfsSync(folder);
    return files > 0 && ffree === 0;
  } catch {
    // The folder is gone, which is then the real problem.
    return false;
  }
}

/** Whether a path, which may not exist yet, is on an ext4 that refuses writes since it met an error: its line in the table of mounts says so then. */
function isStopped(path: string): boolean {
  try {
    const place = existingPlace(path);
    if (statfsSync(place).type !== EXT4) return false;
    const table = readFileSync('/proc/self/mountinfo', 'utf8');
    if (!table.includes(STOPPED)) return false;
    const device = deviceName(statSync(place, { bigint: true }).dev);
    return table.split('\n').some((line) => {
      const words = line.split(' ');
      return words[2] === device && words.at(-1)?.split(',').includes(STOPPED);
    });
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return false;
  }
}

function existingPlace(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingPlace(dirname(path));
}

/** The device as the table of mounts has it, `major:minor`. The number is put together as in glibc's makedev(3). */
function deviceName(device: bigint): string {
  const major = ((device >> 32n) & 0xfffff000n) | ((device >> 8n) & 0xfffn);
  const minor = ((device >> 12n) & 0xffffff00n) | (device & 0xffn);
  return `${major}:${minor}`;
}
