import { constants } from 'node:os';
import { lastErrno, systemError, unchecked } from './libc.ts';

/** What statx(2) says of a file. Times are nanoseconds since 1970. */
export interface FileStatus {
  /** With the bits of its type. */
  readonly mode: number;
  readonly inode: number;
  readonly links: number;
  readonly user: number;
  readonly group: number;
  readonly sizeBytes: number;
  /** Of 512 bytes each. */
  readonly blocks: number;
  /** `st_rdev` of a device. */
  readonly device: number;
  /** `st_dev`: which disk it lies on. */
  readonly disk: number;
  readonly accessedNs: bigint;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
  /** When it was made; undefined where the disk does not know. */
  readonly bornNs: bigint | undefined;
}

const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_EMPTY_PATH = 0x1000;
const STATX_BTIME = 0x800;
/** `STATX_BASIC_STATS`, and when it was made. */
const ALL = 0x7ff | STATX_BTIME;
const { ENOENT } = constants.errno;
const NS_PER_SECOND = 1_000_000_000n;
const WORD = 0x1_0000_0000;

const statx = unchecked<[folder: number, name: string, flags: number, mask: number, status: Uint8Array]>(
  'int statx(int folder, const char* name, int flags, unsigned int mask, uint8_t* status)',
);
/** `struct statx`, the same on all machines. Calls do not overlap, so one is enough. */
const filled = Buffer.alloc(256);

/** fstat(2), which takes a descriptor of O_PATH too. @throws Error with a `code` */
export function statusOf(descriptor: number): FileStatus {
  if (statx(descriptor, '', AT_EMPTY_PATH, ALL, filled) < 0) {
    throw systemError(lastErrno(), 'statx');
  }
  return readStatus();
}

/** lstat(2) of a name in a folder; undefined where there is none. @throws Error with a `code` */
export function statusAt(folder: number, name: string): FileStatus | undefined {
  if (statx(folder, name, AT_SYMLINK_NOFOLLOW, ALL, filled) >= 0) return readStatus();
  const errno = lastErrno();
  if (errno === ENOENT) return undefined;
  throw systemError(errno, 'statx');
}

function readStatus(): FileStatus {
  return {
    mode: filled.readUInt16LE(28),
    inode: numberAt(32),
    links: filled.readUInt32LE(16),
    user: filled.readUInt32LE(20),
    group: filled.readUInt32LE(24),
    sizeBytes: numberAt(40),
    blocks: numberAt(48),
    device: deviceAt(128),
    disk: deviceAt(136),
    accessedNs: nsAt(64),
    modifiedNs: nsAt(112),
    changedNs: nsAt(96),
    bornNs: (filled.readUInt32LE(0) & STATX_BTIME) === 0 ? undefined : nsAt(80),
  };
}

function numberAt(offset: number): number {
  return filled.readUInt32LE(offset) + filled.readUInt32LE(offset + 4) * WORD;
}

function nsAt(offset: number): bigint {
  return filled.readBigInt64LE(offset) * NS_PER_SECOND + BigInt(filled.readUInt32LE(offset + 8));
}

/** `makedev` of sysmacros.h, of a major and a minor number. */
function deviceAt(offset: number): number {
  const major = filled.readUInt32LE(offset);
  const minor = filled.readUInt32LE(offset + 4);
  return (
    (minor & 0xff) + (major & 0xfff) * 0x100 + (minor >>> 8) * 0x10_0000 + (major >>> 12) * 0x1000_0000_0000
  );
}
