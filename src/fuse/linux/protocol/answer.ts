import type { Space } from '../../../core/changes.ts';
import { FsError } from '../../../core/errors.ts';
import { PERMISSION_BITS } from '../../../core/file-modes.ts';
import { MAX_NAME_BYTES } from '../../../core/paths.ts';
import type { FileKind, NodeInfo } from '../../../core/resolver.ts';
import { NS_PER_SECOND } from '../../../system/timespec.ts';
import { TYPE_BITS } from '../../mode-bits.ts';
import { BLOCK_BYTES, OWN_GROUP_ID, OWN_USER_ID, sectorsOf } from '../../shown-attributes.ts';
import { outputView, setInode, setU32, setU64 } from './words.ts';

/**
 * What the kernel is answered, encoded: the structures `fuse_…_out` of fuse_kernel.h, version 7.31 and later. No I/O. Each function fills a
 * buffer from {@link PAYLOAD} on and returns how many bytes it filled; a buffer that is too short throws a RangeError.
 */

/** `struct fuse_out_header` comes before it. */
export const PAYLOAD = 16;

/** `struct fuse_entry_out`. */
export const ENTRY_BYTES = 128;
const ATTRIBUTE_BYTES = 88;

/** @param errno positive, or 0 */
export function encodeHeader(out: Buffer, unique: number, errno: number, payloadBytes: number): number {
  const length = PAYLOAD + payloadBytes;
  const view = outputView(out);
  setU32(view, 0, length);
  setU32(view, 4, -errno);
  setU64(view, 8, unique);
  return length;
}

/** A node as the kernel is told of it. */
export interface ToldNode {
  /** 0 for a name that is not there, which the kernel then remembers. */
  readonly nodeId: number;
  /** `st_ino`. */
  readonly inode: number;
  /** For how long the name is good, and the attributes. */
  readonly nameSeconds: number;
  readonly attributeSeconds: number;
}

/** `struct fuse_entry_out`. */
export function encodeEntry(out: Buffer, node: ToldNode, info: NodeInfo): number {
  entryAt(out, PAYLOAD, node, info);
  return ENTRY_BYTES;
}

/** A name that is not there, to be remembered so. */
export function encodeMiss(out: Buffer, nameSeconds: number): number {
  out.fill(0, PAYLOAD, PAYLOAD + ENTRY_BYTES);
  setU64(outputView(out), PAYLOAD + 16, nameSeconds);
  return ENTRY_BYTES;
}

/** One entry at a place of the output. */
export function entryAt(out: Buffer, at: number, node: ToldNode, info: NodeInfo): void {
  out.fill(0, at, at + 40);
  const view = outputView(out);
  setU64(view, at, node.nodeId);
  setU64(view, at + 16, node.nameSeconds);
  setU64(view, at + 24, node.attributeSeconds);
  attributesAt(out, at + 40, node.inode, info);
}

/** `struct fuse_attr_out`. */
export function encodeAttributes(
  out: Buffer,
  node: Pick<ToldNode, 'inode' | 'attributeSeconds'>,
  info: NodeInfo,
): number {
  out.fill(0, PAYLOAD, PAYLOAD + 16);
  setU64(outputView(out), PAYLOAD, node.attributeSeconds);
  attributesAt(out, PAYLOAD + 16, node.inode, info);
  return 16 + ATTRIBUTE_BYTES;
}

/**
 * `struct fuse_attr`. Where no disk says otherwise, all belongs to the daemon's user.
 * @throws TypeError for what is no NodeInfo
 */
function attributesAt(
  out: Buffer,
  at: number,
  inode: number,
  { kind, sizeBytes, modifiedNs, mode, isRemoved, disk }: NodeInfo,
): void {
  const type = TYPE_BITS[kind];
  if (
    type === undefined ||
    !Number.isSafeInteger(sizeBytes) ||
    sizeBytes < 0 ||
    !Number.isInteger(mode) ||
    typeof modifiedNs !== 'bigint'
  ) {
    throw new TypeError(`these are no attributes: ${kind} ${sizeBytes} ${mode} ${modifiedNs}`);
  }
  const view = outputView(out);
  setInode(view, at, inode);
  setU64(view, at + 8, sizeBytes);
  setU64(view, at + 16, disk?.blocks ?? sectorsOf(kind, sizeBytes));
  timeAt(view, at + 32, at + 52, modifiedNs);
  timeAt(view, at + 24, at + 48, disk?.accessedNs ?? modifiedNs);
  timeAt(view, at + 40, at + 56, disk?.changedNs ?? modifiedNs);
  setU32(view, at + 60, type | (mode & PERMISSION_BITS));
  setU32(view, at + 64, disk?.links ?? linksOf(kind, isRemoved));
  setU32(view, at + 68, disk?.user ?? OWN_USER_ID);
  setU32(view, at + 72, disk?.group ?? OWN_GROUP_ID);
  setU32(view, at + 76, disk?.device ?? 0);
  setU32(view, at + 80, BLOCK_BYTES);
  setU32(view, at + 84, 0);
}

function linksOf(kind: FileKind, isRemoved = false): number {
  if (isRemoved) return 0;
  return kind === 'directory' ? 2 : 1;
}

/** A time in two parts. */
const parted = { timeNs: 0n, seconds: 0, restNs: 0 };

/** Seconds are signed, of before 1970 too; nanoseconds count from there on. Three times in a row are mostly one. */
function timeAt(view: DataView, at: number, atNs: number, timeNs: bigint): void {
  if (timeNs !== parted.timeNs) {
    const restNs = Number(timeNs % NS_PER_SECOND);
    parted.seconds = Number(timeNs / NS_PER_SECOND) - (restNs < 0 ? 1 : 0);
    parted.restNs = restNs < 0 ? restNs + Number(NS_PER_SECOND) : restNs;
    parted.timeNs = timeNs;
  }
  setU64(view, at, parted.seconds);
  setU32(view, atNs, parted.restNs);
}

/** `FOPEN_…` */
export const FOPEN = {
  directIo: 1 << 0,
  keepCache: 1 << 1,
  /** Since 7.35: no FLUSH at close. An older kernel sends it all the same. */
  noFlush: 1 << 5,
  /** Since 7.40: the kernel reads another file instead. */
  passThrough: 1 << 7,
} as const;

/** `struct fuse_open_out`. @param flags of {@link FOPEN}. @param backing the file to be read instead, by its number */
export function encodeOpen(out: Buffer, handle: number, flags: number, at = PAYLOAD, backing = 0): number {
  const view = outputView(out);
  setU64(view, at, handle);
  setU32(view, at + 8, flags);
  setU32(view, at + 12, backing);
  return 16;
}

/** CREATE: an entry, then what OPEN answers. */
export function encodeCreated(
  out: Buffer,
  node: ToldNode,
  info: NodeInfo,
  handle: number,
  flags: number,
): number {
  encodeEntry(out, node, info);
  return ENTRY_BYTES + encodeOpen(out, handle, flags, PAYLOAD + ENTRY_BYTES);
}

/** WRITE, COPY_FILE_RANGE: `struct fuse_write_out`; GETXATTR, LISTXATTR where the size is asked for. */
export function encodeCount(out: Buffer, count: number): number {
  const view = outputView(out);
  setU32(view, PAYLOAD, count);
  setU32(view, PAYLOAD + 4, 0);
  return 8;
}

/** LSEEK. */
export function encodePosition(out: Buffer, position: number): number {
  setU64(outputView(out), PAYLOAD, position);
  return 8;
}

/** Bytes as they are: READLINK, GETXATTR, LISTXATTR. */
export function encodeBytes(out: Buffer, bytes: Uint8Array): number {
  if (PAYLOAD + bytes.length > out.length) throw new RangeError('an answer is too long');
  out.set(bytes, PAYLOAD);
  return bytes.length;
}

/** `struct fuse_statfs_out`. */
export function encodeSpace(out: Buffer, space: Space): number {
  const sizeBytes = 80;
  out.fill(0, PAYLOAD, PAYLOAD + sizeBytes);
  const view = outputView(out);
  setU64(view, PAYLOAD, Math.floor(space.totalBytes / BLOCK_BYTES));
  setU64(view, PAYLOAD + 8, Math.floor(space.freeBytes / BLOCK_BYTES));
  setU64(view, PAYLOAD + 16, Math.floor(space.freeBytes / BLOCK_BYTES));
  setU64(view, PAYLOAD + 24, space.totalFiles);
  setU64(view, PAYLOAD + 32, space.freeFiles);
  setU32(view, PAYLOAD + 40, BLOCK_BYTES);
  setU32(view, PAYLOAD + 44, MAX_NAME_BYTES);
  setU32(view, PAYLOAD + 48, BLOCK_BYTES);
  return sizeBytes;
}

/** The values or names of extended attributes, as getxattr(2) and listxattr(2) answer. @param roomBytes 0 asks for the size */
export function encodeAttribute(
  out: Buffer,
  value: string | Uint8Array,
  roomBytes: number,
  path: string,
): number {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  if (roomBytes === 0) return encodeCount(out, bytes.length);
  if (bytes.length > roomBytes) throw new FsError('ERANGE', path, 'the buffer is too small');
  return encodeBytes(out, bytes);
}
