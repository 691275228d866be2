import type { FileKind, NodeInfo } from '../../core/resolver.ts';

/** `S_IFMT` bits of stat(2). */
const TYPE_BITS: Readonly<Record<FileKind, number>> = { file: 0o100000, directory: 0o040000, link: 0o120000 };
const PERMISSION_BITS = 0o7777;
const BLOCK_BYTES = 4096;
const SECTORS_PER_BLOCK = BLOCK_BYTES / 512;
const TWO_TO_32 = 2 ** 32;
const NS_PER_MS = 1_000_000n;

/** Positions in the array that `populate_stat` of fuse-native.c reads: 32 bits each, sizes and times two of them. */
const AT = {
  mode: 0,
  uid: 1,
  gid: 2,
  size: 3,
  links: 6,
  blockSize: 9,
  blocks: 10,
  atime: 12,
  mtime: 14,
  ctime: 16,
};
const STAT_LENGTH = 18;

const UID = process.getuid?.() ?? 0;
const GID = process.getgid?.() ?? 0;

/** For errors, which have no attributes. */
export const NO_ATTRIBUTES: Uint32Array = new Uint32Array(STAT_LENGTH);

/**
 * What stat(2) shows, owned by the daemon's user. Times are whole milliseconds, none before 1970: the binding knows no others.
 * @param target filled and returned; the binding copies it while it is called
 * @throws TypeError for what is no NodeInfo
 */
export function encodeAttributes(
  { kind, sizeBytes, modifiedNs, mode }: NodeInfo,
  target: Uint32Array,
): Uint32Array {
  const type = TYPE_BITS[kind];
  if (type === undefined || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0 || !Number.isInteger(mode)) {
    throw new TypeError(`these are no attributes: ${kind} ${sizeBytes} ${mode}`);
  }
  target[AT.mode] = type | (mode & PERMISSION_BITS);
  target[AT.uid] = UID;
  target[AT.gid] = GID;
  target[AT.links] = kind === 'directory' ? 2 : 1;
  target[AT.blockSize] = BLOCK_BYTES;
  setDouble(target, AT.size, sizeBytes);
  setDouble(target, AT.blocks, kind === 'link' ? 0 : Math.ceil(sizeBytes / BLOCK_BYTES) * SECTORS_PER_BLOCK);
  const ms = Math.max(0, Number(modifiedNs / NS_PER_MS));
  setDouble(target, AT.atime, ms);
  setDouble(target, AT.mtime, ms);
  setDouble(target, AT.ctime, ms);
  return target;
}

export function blankAttributes(): Uint32Array {
  return new Uint32Array(STAT_LENGTH);
}

/** All that a listing tells of an entry: its type. The binding copies from these, so one for each kind is enough. */
export const TYPE_ONLY: Readonly<Record<FileKind, Uint32Array>> = {
  file: typeOnly('file'),
  directory: typeOnly('directory'),
  link: typeOnly('link'),
};

function typeOnly(kind: FileKind): Uint32Array {
  const attributes = blankAttributes();
  attributes[AT.mode] = TYPE_BITS[kind];
  return attributes;
}

function setDouble(target: Uint32Array, position: number, value: number): void {
  target[position] = value % TWO_TO_32;
  target[position + 1] = Math.floor(value / TWO_TO_32);
}

/** What statvfs(3) shows: no space to count, as /proc and other generated trees say; names of at most 255 bytes. */
export const FILE_SYSTEM_FIGURES: Uint32Array = Uint32Array.of(
  BLOCK_BYTES,
  BLOCK_BYTES,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  255,
);
