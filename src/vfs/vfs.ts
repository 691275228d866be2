import type { Changes } from '../core/changes.ts';
import type { VfsPath } from '../core/paths.ts';
import type {
  Attributes,
  Awaitable,
  DirEntry,
  KnownVersion,
  NodeInfo,
  OpContext,
  OpenFile,
  Unsubscribe,
} from '../core/resolver.ts';

/**
 * The whole tree as a driver, the command line or a tool sees it: one namespace over all resolvers. Every method
 * fails with an FsError and nothing else; a bug in a resolver arrives as EIO. What no resolver lets change is refused as a disk
 * mounted read-only does: what is not there is ENOENT, what is there already EEXIST, the rest EROFS.
 */
export interface Vfs extends Changes<VfsPath> {
  /** Does not follow a final link. @throws FsError ENOENT, ENOTDIR, EACCES */
  stat(path: VfsPath, context: OpContext): Awaitable<NodeInfo>;
  /** What `stat` says; undefined where there is nothing. @throws FsError ENOTDIR, EACCES */
  find(path: VfsPath, context: OpContext): Awaitable<NodeInfo | undefined>;
  /** Listed names in a stable order, without `.` and `..`. @throws FsError ENOENT, ENOTDIR */
  list(path: VfsPath, context: OpContext): Awaitable<readonly DirEntry[]>;
  /**
   * What `stat` says of names in a folder, in their order; undefined for one of which it would fail, or could not say it at once. Never
   * throws what is an FsError.
   */
  statNames(folder: VfsPath, names: readonly string[], context: OpContext): readonly (NodeInfo | undefined)[];
  /**
   * Opens for reading. The handle keeps the version it opened, unless the file is live.
   * @param known as a resolver's. @throws FsError ENOENT, EISDIR, ELOOP for a link
   */
  open(path: VfsPath, context: OpContext, known?: KnownVersion): Awaitable<OpenFile>;
  /** As `open`, for a caller of whom it is not yet certain that it will have the file: {@link noteRead} is for when it is. */
  openUnnoted(path: VfsPath, context: OpContext): Awaitable<OpenFile>;
  /** Notes that a caller opened a file to read it. */
  noteRead(path: VfsPath, context: OpContext): void;
  /**
   * Opens, for nobody, what somebody will probably look up or open next: nothing of it is noted.
   * @param known as a resolver's. @returns undefined where it cannot be had at once, or nothing is gained by it
   */
  openAhead(path: VfsPath, known?: KnownVersion): OpenFile | undefined;
  /** @throws FsError EINVAL where the path is no link */
  readLink(path: VfsPath, context: OpContext): Awaitable<string>;
  /** Extended attributes by full name; an empty map where there are none. @throws FsError ENOENT */
  attributes(path: VfsPath, context: OpContext): Awaitable<Attributes>;
  /** Whether it may be remembered that there is nothing at a path, since the tree tells when there is. */
  tellsOfNew(path: VfsPath): boolean;
  /** Tells of paths whose content, metadata or existence changed; a folder stands for all below it. */
  onChange(listener: (changed: readonly VfsPath[]) => void): Unsubscribe;
}
