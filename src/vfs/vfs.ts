import type { VfsPath } from '../core/paths.ts';
import type { Awaitable, DirEntry, NodeInfo, OpContext, OpenFile, Unsubscribe } from '../core/resolver.ts';

/** The ways a caller may try to change the tree. */
export type ChangeOperation =
  | 'create'
  | 'write'
  | 'truncate'
  | 'mkdir'
  | 'rmdir'
  | 'unlink'
  | 'rename'
  | 'link'
  | 'symlink'
  | 'mknod'
  | 'chmod'
  | 'chown'
  | 'utimens'
  | 'setxattr'
  | 'removexattr';

/**
 * The whole tree as a driver, the command line or a tool sees it: one namespace over all resolvers. Every method
 * fails with an FsError and nothing else; a bug in a resolver arrives as EIO.
 */
export interface Vfs {
  /** Does not follow a final link. @throws FsError ENOENT, ENOTDIR, EACCES */
  stat(path: VfsPath, context: OpContext): Awaitable<NodeInfo>;
  /** Listed names in a stable order, without `.` and `..`. @throws FsError ENOENT, ENOTDIR */
  list(path: VfsPath, context: OpContext): Awaitable<readonly DirEntry[]>;
  /** Opens for reading. The handle keeps the version it opened. @throws FsError ENOENT, EISDIR, ELOOP for a link */
  open(path: VfsPath, context: OpContext): Awaitable<OpenFile>;
  /** @throws FsError EINVAL where the path is no link */
  readLink(path: VfsPath, context: OpContext): Awaitable<string>;
  /** Extended attributes by full name; an empty map where there are none. @throws FsError ENOENT */
  attributes(path: VfsPath, context: OpContext): Awaitable<ReadonlyMap<string, string>>;
  /**
   * Answers an attempt to change something no resolver lets change, as a disk mounted read-only does: what is not
   * there is ENOENT, what is there already EEXIST, the rest EROFS. Always throws.
   * @throws FsError
   */
  refuseChange(operation: ChangeOperation, path: VfsPath, context: OpContext): Awaitable<never>;
  /** Tells of paths whose content, metadata or existence changed; a folder stands for all below it. */
  onChange(listener: (changed: readonly VfsPath[]) => void): Unsubscribe;
}
