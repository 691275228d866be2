import type { Space } from '../../core/changes.ts';
import { PERMISSION_BITS } from '../../core/file-modes.ts';
import { nsToMs } from '../../core/node-info.ts';
import { MAX_NAME_BYTES } from '../../core/paths.ts';
import type { FileKind, NodeInfo } from '../../core/resolver.ts';
import { TYPE_BITS } from '../mode-bits.ts';
import { BLOCK_BYTES, OWN_GROUP_ID, OWN_USER_ID, sectorsOf } from '../shown-attributes.ts';
import { setWideNumber } from './wide-numbers.ts';

const MAX_UINT32 = 0xff_ff_ff_ff;

/** Positions in the array that `populate_stat` of fuse-native.c reads. Each element has 32 bits; sizes and times take two. */
const AT = {
  mode: 0,
  uid: 1,
  gid: 2,
  size: 3,
  links: 6,
  device: 8,
  blockSize: 9,
  blocks: 10,
  atime: 12,
  mtime: 14,
  ctime: 16,
};
const STAT_LENGTH = 18;

/** The attributes that go with an error. */
export const NO_ATTRIBUTES: Uint32Array = new Uint32Array(STAT_LENGTH);

/**
 * The attributes as stat(2) shows them; without other information from a disk, the owner is the daemon's user. Times are whole milliseconds and not before
 * 1970, since the binding knows no others.
 * @param target filled and returned; the binding copies it during the call
 * @throws TypeError if the value is no NodeInfo
 */
export function encodeAttributes(
  { kind, sizeBytes, modifiedNs, mode, disk }: NodeInfo,
  target: Uint32Array,
): Uint32Array {
  const type = TYPE_BITS[kind];
  if (type === undefined || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0 || !Number.isInteger(mode)) {
    throw new TypeError(`these are no attributes: ${kind} ${sizeBytes} ${mode}`);
  }
  target[AT.mode] = type | (mode & PERMISSION_BITS);
  target[AT.uid] = disk?.user ?? OWN_USER_ID;
  target[AT.gid] = disk?.group ?? OWN_GROUP_ID;
  target[AT.links] = disk?.links ?? (kind === 'directory' ? 2 : 1);
  target[AT.device] = disk?.device ?? 0;
  target[AT.blockSize] = BLOCK_BYTES;
  setWideNumber(target, AT.size, sizeBytes);
  setWideNumber(target, AT.blocks, disk?.blocks ?? sectorsOf(kind, sizeBytes));
  setTime(target, AT.atime, disk?.accessedNs ?? modifiedNs);
  setTime(target, AT.mtime, modifiedNs);
  setTime(target, AT.ctime, disk?.changedNs ?? modifiedNs);
  return target;
}

export function blankAttributes(): Uint32Array {
  return new Uint32Array(STAT_LENGTH);
}

/** A listing only tells the type of an entry. The binding copies from these arrays, so one for each kind is enough. */
export const TYPE_ONLY: Readonly<Record<FileKind, Uint32Array>> = {
  pipe: typeOnly('pipe'),
  'character device': typeOnly('character device'),
  directory: typeOnly('directory'),
  'block device': typeOnly('block device'),
  file: typeOnly('file'),
  link: typeOnly('link'),
  socket: typeOnly('socket'),
};

function typeOnly(kind: FileKind): Uint32Array {
  const attributes = blankAttributes();
  attributes[AT.mode] = TYPE_BITS[kind];
  return attributes;
}

function setTime(target: Uint32Array, position: number, timeNs: bigint): void {
  setWideNumber(target, position, Math.max(0, nsToMs(timeNs)));
}

/** The figures of statvfs(3): names have at most 255 bytes, and space is given if it is known. The binding takes 32 bits of each number. */
export function fileSystemFigures({ totalBytes, freeBytes, totalFiles, freeFiles }: Space): Uint32Array {
  const blocks = (bytes: number): number => Math.min(MAX_UINT32, Math.floor(bytes / BLOCK_BYTES));
  const free = blocks(freeBytes);
  const freeNodes = Math.min(MAX_UINT32, freeFiles);
  return Uint32Array.of(
    BLOCK_BYTES,
    BLOCK_BYTES,
    blocks(totalBytes),
    free,
    free,
    Math.min(MAX_UINT32, totalFiles),
    freeNodes,
    freeNodes,
    0,
    0,
    MAX_NAME_BYTES,
  );
}

export const NO_FIGURES: Uint32Array = fileSystemFigures({
  totalBytes: 0,
  freeBytes: 0,
  totalFiles: 0,
  freeFiles: 0,
});
