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

/** The version that `stampOf` wrote down. */
export function versionOf(stamp: string): FileVersion {
  const [size = '0', modified = '0', changed = '0', inode = '0'] = stamp.split(' ');
  return {
    sizeBytes: Number(size),
    modifiedNs: BigInt(modified),
    changedNs: BigInt(changed),
    inode: BigInt(inode),
  };
}
