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
 * fails with an FsError and nothing else; a bug in a resolver arrives as EIO. A change that no resolver allows is refused as on a disk that is
 * mounted read-only: with ENOENT for something that does not exist, EEXIST for a new name that is taken, and EROFS otherwise.
 */
export interface Vfs extends Changes<VfsPath> {
  /** Does not follow a link at the end of the path. @throws FsError ENOENT, ENOTDIR, EACCES */
  stat(path: VfsPath, context: OpContext): Awaitable<NodeInfo>;
  /** As `stat`, but undefined if nothing is there. @throws FsError ENOTDIR, EACCES */
  find(path: VfsPath, context: OpContext): Awaitable<NodeInfo | undefined>;
  /** Listed names in a stable order, without `.` and `..`. @throws FsError ENOENT, ENOTDIR */
  list(path: VfsPath, context: OpContext): Awaitable<readonly DirEntry[]>;
  /**
   * `stat` for names in a folder, in their order; undefined for a name for which it would fail, or could not answer at once. Never
   * throws an FsError.
   */
  statNames(folder: VfsPath, names: readonly string[], context: OpContext): readonly (NodeInfo | undefined)[];
  /**
   * Opens a file for reading. The handle keeps the version that it opened, unless the file is live.
   * @param known as for a resolver. @throws FsError ENOENT, EISDIR, ELOOP for a link
   */
  open(path: VfsPath, context: OpContext, known?: KnownVersion): Awaitable<OpenFile>;
  /** As `open`, for a caller that may not get the file in the end. If it does, {@link noteRead} has to be called. */
  openUnnoted(path: VfsPath, context: OpContext): Awaitable<OpenFile>;
  /** Tells the observer that a caller has opened a file for reading. */
  noteRead(path: VfsPath, context: OpContext): void;
  /**
   * Opens a file ahead that somebody will probably look up or open next. The observer is not told.
   * @param known as for a resolver. @returns undefined if the file cannot be opened at once, or nothing would be gained by it
   */
  openAhead(path: VfsPath, known?: KnownVersion): OpenFile | undefined;
  /** The target text of a link. @throws FsError EINVAL if the path is no link */
  readLink(path: VfsPath, context: OpContext): Awaitable<string>;
  /** Extended attributes by full name; an empty map if there are none. @throws FsError ENOENT */
  attributes(path: VfsPath, context: OpContext): Awaitable<Attributes>;
  /** Whether a caller may remember that nothing is at a path, since the tree will tell when something appears. */
  tellsOfNew(path: VfsPath): boolean;
  /** Tells of paths whose content, metadata or existence has changed. A folder stands for everything below it. */
  onChange(listener: (changed: readonly VfsPath[]) => void): Unsubscribe;
}
