import { constants } from 'node:os';
import { NO_FOLDER } from './files.ts';
import { inodeOfWords, TWO_TO_32 } from './inode.ts';
import { AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW, lastErrno, systemError, unchecked } from './libc.ts';
import { NS_PER_SECOND } from './timespec.ts';

/** What statx(2) says of any file. Times are nanoseconds since 1970. */
interface Status {
  /** The permissions, and the bits of the file's type. */
  readonly mode: number;
  /** The inode number, in the form of {@link inodeOfWords}. */
  readonly inode: number;
  readonly sizeBytes: number;
  /** `st_dev`: the disk that the file lies on. */
  readonly disk: number;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
}

/** What statx(2) says about the content of a file. */
export interface ContentStatus extends Status {
  /** The id of the mount through which the file was found, as the same disk may be mounted in several places. 0 before Linux 5.8. */
  readonly mount: number;
  /** A text that differs whenever disk, inode, size or times differ. It is made of their bytes, and is not meant to be shown. */
  readonly stamp: string;
}

/** All that statx(2) says of a file. */
export interface FileStatus extends Status {
  readonly links: number;
  readonly user: number;
  readonly group: number;
  /** Allocated blocks of 512 bytes. */
  readonly blocks: number;
  /** `st_rdev`, for a device. */
  readonly device: number;
  readonly accessedNs: bigint;
  /** When the file was made; undefined if the disk does not know. */
  readonly bornNs: bigint | undefined;
}

/** Asks only for what the kernel knows already, and nothing of the server of a network disk or a FUSE mount. */
const AT_STATX_DONT_SYNC = 0x4000;
const STATX_MNT_ID_UNIQUE = 0x4000;
const STATX_BTIME = 0x800;
/** `STATX_TYPE`, `_MODE`, `_MTIME`, `_CTIME`, `_INO`, `_SIZE` and `_MNT_ID`. */
const CONTENT = 0x1 | 0x2 | 0x40 | 0x80 | 0x100 | 0x200 | 0x1000;
/** `STATX_BASIC_STATS`, and the time of birth. */
const ALL = 0x7ff | STATX_BTIME;
const { ENOENT } = constants.errno;

const statx = unchecked<[folder: number, name: string, flags: number, mask: number, status: Uint8Array]>(
  'int statx(int folder, const char* name, int flags, unsigned int mask, uint8_t* status)',
);
/** `struct statx`, which is the same on all machines. Calls do not overlap, so one buffer is enough. */
const filled = Buffer.alloc(256);
const fields = new DataView(filled.buffer, filled.byteOffset, filled.length);

/** fstat(2). The descriptor may be one of O_PATH. @throws Error with a `code` */
export function statusOf(descriptor: number): FileStatus {
  fillOf(descriptor, ALL);
  return readStatus();
}

/** lstat(2) of a name in a folder. @returns undefined if there is no such name. @throws Error with a `code` */
export function statusAt(folder: number, name: string): FileStatus | undefined {
  return fillAt(folder, name, ALL) ? readStatus() : undefined;
}

/** As {@link statusOf}, in half the time. */
export function contentStatusOf(descriptor: number): ContentStatus {
  fillOf(descriptor, CONTENT);
  return readContentStatus();
}

/** As {@link statusAt}, in half the time. */
export function contentStatusAt(folder: number, name: string): ContentStatus | undefined {
  return fillAt(folder, name, CONTENT) ? readContentStatus() : undefined;
}

/** The words of the structure that make up a {@link ContentStatus.stamp}: inode and size, `mtime`, the disk, and `ctime`. */
const STAMP_WORDS = [8, 9, 10, 11, 28, 29, 30, 34, 35, 24, 25, 26];
/** How many units of a stamp's text come before `ctime`. */
const OF_CONTENT = 4 * 9;
const stamp = Buffer.from(new ArrayBuffer(4 * STAMP_WORDS.length));
const stampWords = new Uint32Array(stamp.buffer);

/** The size of an open file, in half the time that its whole status takes; undefined if its stamp has changed. @throws Error with a `code` */
export function sizeIfStill(descriptor: number, stamp: string): number | undefined {
  fillOf(descriptor, CONTENT);
  return readStamp() === stamp ? numberAt(40) : undefined;
}

/** Whether two stamps stand for the same bytes of the same file. Its `ctime` may differ, for example after it lost a name. */
export function isSameContent(one: string, other: string): boolean {
  return one.slice(0, OF_CONTENT) === other.slice(0, OF_CONTENT);
}

function readStamp(): string {
  STAMP_WORDS.forEach((from, index) => {
    stampWords[index] = u32At(4 * from);
  });
  return stamp.toString('latin1');
}

/** How many bytes {@link stampAt} writes for a file. */
export const STAMP_BYTES = 48;
/** Where these bytes lie in the structure: inode and size, then `ctime`, then `mtime`. */
const STAMP_PARTS = [
  [32, 48],
  [96, 128],
] as const;

/**
 * Writes bytes that differ whenever inode, size or times of a file differ, in a third of the time that `lstat` takes for the same.
 * @param path absolute
 * @returns whether there is such a file. @throws Error with a `code`
 */
export function stampAt(path: string, into: Uint8Array, offset: number): boolean {
  if (!fillAt(NO_FOLDER, path, CONTENT)) return false;
  let end = offset;
  for (const [from, to] of STAMP_PARTS) {
    into.set(filled.subarray(from, to), end);
    end += to - from;
  }
  return true;
}

/**
 * The number of the mount that is visible at a path; no other mount ever gets the same number. Nobody is asked for it, not even the daemon that serves the
 * mount.
 * @param path absolute. @returns undefined before Linux 6.8, and if there is no such path
 */
export function mountSerialAt(path: string): bigint | undefined {
  const flags = AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC;
  if (statx(NO_FOLDER, path, flags, STATX_MNT_ID_UNIQUE, filled) < 0) return undefined;
  return (u32At(0) & STATX_MNT_ID_UNIQUE) === 0 ? undefined : fields.getBigUint64(144, true);
}

/** `st_dev` of what a descriptor stands for. Nobody is asked for it, not even the daemon that serves it. @throws Error with a `code` */
export function diskOf(descriptor: number): number {
  if (statx(descriptor, '', AT_EMPTY_PATH | AT_STATX_DONT_SYNC, 0, filled) < 0)
    throw systemError(lastErrno(), 'statx');
  return deviceAt(136);
}

function fillOf(descriptor: number, mask: number): void {
  if (statx(descriptor, '', AT_EMPTY_PATH, mask, filled) < 0) throw systemError(lastErrno(), 'statx');
}

/** Fills the structure for a name in a folder. @returns whether there is such a name */
function fillAt(folder: number, name: string, mask: number): boolean {
  if (statx(folder, name, AT_SYMLINK_NOFOLLOW, mask, filled) >= 0) return true;
  const errno = lastErrno();
  if (errno === ENOENT) return false;
  throw systemError(errno, 'statx');
}

function readContentStatus(): ContentStatus {
  return {
    mode: fields.getUint16(28, true),
    inode: inodeOfWords(u32At(32), u32At(36)),
    sizeBytes: numberAt(40),
    disk: deviceAt(136),
    modifiedNs: nsAt(112),
    changedNs: nsAt(96),
    mount: numberAt(144),
    stamp: readStamp(),
  };
}

function readStatus(): FileStatus {
  // The fields are not spread from the other object: that takes several times as long as the system call.
  return {
    mode: fields.getUint16(28, true),
    inode: inodeOfWords(u32At(32), u32At(36)),
    sizeBytes: numberAt(40),
    disk: deviceAt(136),
    modifiedNs: nsAt(112),
    changedNs: nsAt(96),
    links: u32At(16),
    user: u32At(20),
    group: u32At(24),
    blocks: numberAt(48),
    device: deviceAt(128),
    accessedNs: nsAt(64),
    bornNs: (u32At(0) & STATX_BTIME) === 0 ? undefined : nsAt(80),
  };
}

function u32At(offset: number): number {
  return fields.getUint32(offset, true);
}

function numberAt(offset: number): number {
  return u32At(offset) + u32At(offset + 4) * TWO_TO_32;
}

function nsAt(offset: number): bigint {
  return fields.getBigInt64(offset, true) * NS_PER_SECOND + BigInt(u32At(offset + 8));
}

function deviceAt(offset: number): number {
  return diskNumber(u32At(offset), u32At(offset + 4));
}

/** `makedev`, from sysmacros.h. */
export function diskNumber(major: number, minor: number): number {
  return (
    (minor & 0xff) + (major & 0xfff) * 0x100 + (minor >>> 8) * 0x10_0000 + (major >>> 12) * 0x1000_0000_0000
  );
}
