import { constants, type Dirent } from 'node:fs';
import { PERMISSION_BITS } from '../core/file-modes.ts';
import type { FileKind, NodeInfo } from '../core/resolver.ts';
import type { FileStatus } from '../system/file-status.ts';

const { S_IFMT, S_IFREG, S_IFDIR, S_IFLNK, S_IFIFO, S_IFSOCK, S_IFBLK, S_IFCHR } = constants;

const KINDS: ReadonlyMap<number, FileKind> = new Map<number, FileKind>([
  [S_IFREG, 'file'],
  [S_IFDIR, 'directory'],
  [S_IFLNK, 'link'],
  [S_IFIFO, 'pipe'],
  [S_IFSOCK, 'socket'],
  [S_IFBLK, 'block device'],
  [S_IFCHR, 'character device'],
]);

/** The result of `stat(2)` in the form that resolvers use. */
export function infoOf(status: FileStatus): NodeInfo {
  return {
    kind: kindOf(status),
    sizeBytes: status.sizeBytes,
    modifiedNs: status.modifiedNs,
    mode: permissionsOf(status),
    inode: status.inode,
    disk: {
      accessedNs: status.accessedNs,
      changedNs: status.changedNs,
      ...(status.bornNs === undefined ? {} : { bornNs: status.bornNs }),
      links: status.links,
      user: status.user,
      group: status.group,
      blocks: status.blocks,
      device: status.device,
    },
  };
}

export function kindOf({ mode }: Pick<FileStatus, 'mode'>): FileKind {
  return KINDS.get(mode & S_IFMT) ?? 'character device';
}

/** The bits of `S_IFMT` for a kind, for mknod(2). */
export function typeBitsOf(kind: FileKind): number {
  for (const [bits, known] of KINDS) if (known === kind) return bits;
  throw new RangeError(`${kind} is no kind of a disk`);
}

/** The permission bits, with set-user-ID, set-group-ID and sticky bit. */
export function permissionsOf({ mode }: Pick<FileStatus, 'mode'>): number {
  return mode & PERMISSION_BITS;
}

export function kindOfListed(entry: Dirent): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFIFO()) return 'pipe';
  if (entry.isSocket()) return 'socket';
  return entry.isBlockDevice() ? 'block device' : 'character device';
}
