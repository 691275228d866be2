import { isSettled } from '../source/settled.ts';

/** What tells one version of a file on disk from another without reading it. */
export interface FileVersion {
  readonly sizeBytes: number;
  readonly modifiedNs: bigint;
  /** `ctime`, which no program can set. */
  readonly changedNs: bigint;
  readonly inode: bigint;
}

/** Equal for a file that nobody touched. A file that came from another disk has another: it is read again, no more. */
export function stampOf({ sizeBytes, modifiedNs, changedNs, inode }: FileVersion): string {
  return `${sizeBytes} ${modifiedNs} ${changedNs} ${inode}`;
}

/**
 * What is kept of a file that was read. Where it may have been changed since and look the same, that equals no stamp of a file: it is read once
 * more at the next look, whenever that is.
 * @param readMs when reading it began
 */
export function keptStampOf(version: FileVersion, readMs: number): string {
  const stamp = stampOf(version);
  return isSettled(version.changedNs, readMs) ? stamp : unsettled(stamp);
}

/** Whether a kept stamp is of a version, as far as can be told. */
export function isStampOf(kept: string, version: FileVersion): boolean {
  const stamp = stampOf(version);
  return kept === stamp || kept === unsettled(stamp);
}

function unsettled(stamp: string): string {
  return `${stamp} unsettled`;
}

/** The version that a stamp was written down of. */
export function versionOf(stamp: string): FileVersion {
  const [size = '0', modified = '0', changed = '0', inode = '0'] = stamp.split(' ');
  return {
    sizeBytes: Number(size),
    modifiedNs: BigInt(modified),
    changedNs: BigInt(changed),
    inode: BigInt(inode),
  };
}
