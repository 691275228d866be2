import type { NodeInfo } from './resolver.ts';

/** What a folder reports as its size, as most disks do. */
const FOLDER_SIZE_BYTES = 4096;

/**
 * Generated and docs paths show the owner's write bit. Without it an ordinary owner would be told EACCES (missing rights)
 * rather than EROFS (a read-only tree).
 */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
const LINK_MODE = 0o777;

/** One is kept for every path that the kernel knows. So each is made as a single literal, which takes a third of the memory that spreading does. */
export function fileInfo(
  sizeBytes: number,
  modifiedNs: bigint,
  version?: string,
  mode = FILE_MODE,
): NodeInfo {
  return version === undefined
    ? { kind: 'file', sizeBytes, modifiedNs, mode }
    : { kind: 'file', sizeBytes, modifiedNs, mode, version };
}

/** @param inode as {@link NodeInfo.inode} */
export function folderInfo(modifiedNs: bigint, inode?: number): NodeInfo {
  const info: NodeInfo = { kind: 'directory', sizeBytes: FOLDER_SIZE_BYTES, modifiedNs, mode: FOLDER_MODE };
  return inode === undefined ? info : { ...info, inode };
}

export function linkInfo(target: string, modifiedNs: bigint, version?: string): NodeInfo {
  const sizeBytes = Buffer.byteLength(target);
  return version === undefined
    ? { kind: 'link', sizeBytes, modifiedNs, mode: LINK_MODE }
    : { kind: 'link', sizeBytes, modifiedNs, mode: LINK_MODE, version };
}

export const NS_PER_MS = 1_000_000n;

export function msToNs(ms: number): bigint {
  return BigInt(Math.floor(ms)) * NS_PER_MS;
}

/** Whole milliseconds, those before 1970 rounded up. */
export function nsToMs(ns: bigint): number {
  return Number(ns / NS_PER_MS);
}
