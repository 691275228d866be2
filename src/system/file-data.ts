import { constants as fileConstants } from 'node:fs';
import { constants } from 'node:os';
import { type CFunction, koffi } from './koffi.ts';
import {
  checked,
  controlDescriptor,
  F_GETFL,
  F_SETFL,
  ioctl,
  lastErrno,
  systemError,
  unchecked,
} from './libc.ts';

/** System calls on the content of open files that Node has no function for. */

let preadv2: CFunction | undefined;

function loadPreadv2(): CFunction {
  const { load, pointer, struct } = koffi();
  const buffers = struct({ base: 'uint8_t*', size: 'size_t' });
  return load(null).func('preadv2', 'int64_t', ['int', pointer(buffers), 'int', 'int64_t', 'int']);
}

const RWF_NOWAIT = 0x08;
const { EAGAIN, EOPNOTSUPP } = constants.errno;

/**
 * pread(2) of bytes that are in memory already, so it never waits for the disk. May read fewer bytes than there are; returns 0 at the end of the file. Some
 * disks, such as those in memory, cannot tell what is in memory. @throws Error with a `code`
 */
export function readCached(
  descriptor: number,
  target: Uint8Array,
  position: number,
): number | 'not in memory' | 'cannot say' {
  preadv2 ??= loadPreadv2();
  const count = Number(
    preadv2(descriptor, { base: target, size: target.byteLength }, 1, position, RWF_NOWAIT),
  );
  if (count >= 0) return count;
  const errno = lastErrno();
  if (errno === EAGAIN) return 'not in memory';
  if (errno === EOPNOTSUPP) return 'cannot say';
  throw systemError(errno, 'preadv2');
}

/**
 * Makes writes go to their position although the descriptor was opened with O_APPEND: for such a one, Linux has pwrite(2) append, whatever its position.
 * @param write writes synchronously, and to that descriptor
 */
export function withoutAppending<T>(descriptor: number, write: () => T): T {
  const flags = controlDescriptor(descriptor, F_GETFL, 0);
  controlDescriptor(descriptor, F_SETFL, flags & ~fileConstants.O_APPEND);
  try {
    return write();
  } finally {
    controlDescriptor(descriptor, F_SETFL, flags);
  }
}

/** `FALLOC_FL_PUNCH_HOLE` and the other flags of fallocate(2). */
export const FALLOCATE = { keepSize: 0x01, punchHole: 0x02, collapse: 0x08, insert: 0x20 } as const;

/** fallocate(2). */
export const allocate = checked<[descriptor: number, mode: number, position: number, sizeBytes: number]>(
  'int fallocate(int descriptor, int mode, int64_t position, int64_t size)',
);

const lseek = unchecked<[descriptor: number, position: number, whence: number]>(
  'int64_t lseek(int descriptor, int64_t position, int whence)',
);
const SEEK_DATA = 3;
const SEEK_HOLE = 4;

/** lseek(2) with SEEK_DATA or SEEK_HOLE. @returns the position. @throws Error with a `code` */
export function seek(descriptor: number, position: number, to: 'data' | 'hole'): number {
  const found = lseek(descriptor, position, to === 'data' ? SEEK_DATA : SEEK_HOLE);
  if (found < 0) throw systemError(lastErrno(), 'lseek');
  return found;
}

const copyFileRange = checked<
  [
    source: number,
    sourcePosition: Uint8Array,
    target: number,
    position: Uint8Array,
    sizeBytes: number,
    flags: number,
  ]
>(
  'int64_t copy_file_range(int source, uint8_t* sourcePosition, int target, uint8_t* position, size_t size, unsigned int flags)',
);

/** copy_file_range(2). @returns how many bytes were copied. @throws Error with a `code` */
export function copyRange(
  source: number,
  sourcePosition: number,
  target: number,
  position: number,
  sizeBytes: number,
): number {
  return copyFileRange(source, offset(sourcePosition), target, offset(position), sizeBytes, 0);
}

function offset(position: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(position));
  return bytes;
}

const FS_IOC_FIEMAP = 0xc020660b;
const MAP_HEADER_BYTES = 32;
const EXTENT_BYTES = 56;
const MAX_EXTENTS = 128;

/** A range of a file, which begins at `position`. */
export interface Extent {
  readonly position: number;
  readonly sizeBytes: number;
}

/**
 * The parts of a range for which the disk has allocated space, whether it was written to or not, in order.
 * @returns undefined if the disk cannot tell
 */
export function extentsOf(descriptor: number, position: number, sizeBytes: number): Extent[] | undefined {
  const extents: Extent[] = [];
  const end = position + sizeBytes;
  for (let at = position; at < end; ) {
    const found = someExtentsOf(descriptor, at, end - at);
    if (found === undefined) return undefined;
    extents.push(...found);
    const last = found.at(-1);
    if (last === undefined || found.length < MAX_EXTENTS) break;
    at = last.position + last.sizeBytes;
  }
  return extents;
}

function someExtentsOf(descriptor: number, position: number, sizeBytes: number): Extent[] | undefined {
  const map = Buffer.alloc(MAP_HEADER_BYTES + MAX_EXTENTS * EXTENT_BYTES);
  map.writeBigUInt64LE(BigInt(position), 0);
  map.writeBigUInt64LE(BigInt(sizeBytes), 8);
  map.writeUInt32LE(MAX_EXTENTS, 24);
  if (ioctl(descriptor, FS_IOC_FIEMAP, map) < 0) return undefined;
  return Array.from({ length: map.readUInt32LE(20) }, (_, index) => {
    const start = MAP_HEADER_BYTES + index * EXTENT_BYTES;
    return {
      position: Number(map.readBigUInt64LE(start)),
      sizeBytes: Number(map.readBigUInt64LE(start + 16)),
    };
  });
}
