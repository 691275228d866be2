import { isSettled } from '../source/settled.ts';

/** What tells one version of a file on disk from another without reading it. */
export interface FileVersion {
  readonly sizeBytes: number;
  readonly modifiedNs: bigint;
  /** `ctime`, which no program can set. */
  readonly changedNs: bigint;
  readonly inode: bigint;
}

/**
 * A text that is equal for a file that nobody has touched. A file that comes from another disk has another stamp, so it is read again, and nothing else
 * happens.
 */
export function stampOf({ sizeBytes, modifiedNs, changedNs, inode }: FileVersion): string {
  return `${sizeBytes} ${modifiedNs} ${changedNs} ${inode}`;
}

/**
 * The stamp to store for a file that was read. If the file may have been changed since and look the same, the result equals no stamp of any file: the file is
 * read once more at the next look, whenever that is.
 * @param readMs when reading began
 */
export function keptStampOf(version: FileVersion, readMs: number): string {
  const stamp = stampOf(version);
  return isSettled(version.changedNs, readMs) ? stamp : unsettled(stamp);
}

/** Whether a stored stamp is that of a version, as far as can be told. */
export function isStampOf(kept: string, version: FileVersion): boolean {
  const stamp = stampOf(version);
  return kept === stamp || kept === unsettled(stamp);
}

function unsettled(stamp: string): string {
  return `${stamp} unsettled`;
}

/** The version that a stamp was made from. */
export function versionOf(stamp: string): FileVersion {
  const [size = '0', modified = '0', changed = '0', inode = '0'] = stamp.split(' ');
  return {
    sizeBytes: Number(size),
    modifiedNs: BigInt(modified),
    changedNs: BigInt(changed),
    inode: BigInt(inode),
  };
}
