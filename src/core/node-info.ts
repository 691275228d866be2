import type { NodeInfo } from './resolver.ts';

/** What a folder reports as its size, as most disks do. */
const FOLDER_SIZE_BYTES = 4096;

/**
 * Generated and docs paths show the owner's write bits, so that an ordinary owner too is told EROFS (a read-only tree)
 * and not EACCES (a lack of rights).
 */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
const LINK_MODE = 0o777;

export function fileInfo(sizeBytes: number, modifiedNs: bigint): NodeInfo {
  return { kind: 'file', sizeBytes, modifiedNs, mode: FILE_MODE };
}

export function folderInfo(modifiedNs: bigint): NodeInfo {
  return { kind: 'directory', sizeBytes: FOLDER_SIZE_BYTES, modifiedNs, mode: FOLDER_MODE };
}

export function linkInfo(target: string, modifiedNs: bigint): NodeInfo {
  return { kind: 'link', sizeBytes: Buffer.byteLength(target), modifiedNs, mode: LINK_MODE };
}

export function msToNs(ms: number): bigint {
  return BigInt(Math.floor(ms)) * 1_000_000n;
}
