import type { BigIntStats, Dirent } from 'node:fs';
import type { FileKind, NodeInfo } from '../core/resolver.ts';

const PERMISSIONS = 0o7777n;

/** What `stat(2)` said, as a resolver says it. */
export function infoOf(status: BigIntStats): NodeInfo {
  return {
    kind: kindOf(status),
    sizeBytes: Number(status.size),
    modifiedNs: status.mtimeNs,
    mode: Number(status.mode & PERMISSIONS),
    disk: {
      accessedNs: status.atimeNs,
      changedNs: status.ctimeNs,
      links: Number(status.nlink),
      user: Number(status.uid),
      group: Number(status.gid),
      blocks: Number(status.blocks),
      device: Number(status.rdev),
    },
  };
}

export function kindOf(entry: BigIntStats | Dirent): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFIFO()) return 'pipe';
  if (entry.isSocket()) return 'socket';
  return entry.isBlockDevice() ? 'block device' : 'character device';
}
