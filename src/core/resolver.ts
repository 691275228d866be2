import type { Changes } from './changes.ts';
import type { SubPath } from './paths.ts';

/** A value, or a promise of it: a resolver answers at once where it can. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The process or person that asks for an operation; what is not known is absent. */
export interface Caller {
  /** A command, a tool or a model by its name. */
  readonly name?: string | undefined;
  readonly pid?: number | undefined;
  /** Identifies one process for good, unlike a pid, which the kernel uses again. */
  readonly process?: string | undefined;
  readonly uid?: number;
  readonly gid?: number;
  /** The session that the process says it belongs to, if it is not the session of the mount. */
  readonly session?: string | undefined;
}

/** What a caller brings to one operation. */
export interface OpContext {
  /** Aborted when the caller stops waiting. */
  readonly signal?: AbortSignal;
  /** Absent where nobody can tell, as with fuse-native. */
  readonly caller?: Caller;
  /**
   * Runs an action once the caller has got what was asked for, and never where that is refused or comes too late. Absent where it may as well
   * run at once; see {@link doLater}.
   */
  later?(action: () => void): void;
}

/** Runs what the caller need not wait for. @param action must not throw */
export function doLater(context: OpContext, action: () => void): void {
  if (context.later === undefined) action();
  else context.later(action);
}

/** Extended attributes by their full names; a text stands for its UTF-8. */
export type Attributes = ReadonlyMap<string, string | Uint8Array>;

export type PlainKind = 'file' | 'directory' | 'link';

/** The kinds beside the plain ones occur only in folders that pass through to a disk. */
export type FileKind = PlainKind | 'pipe' | 'socket' | 'character device' | 'block device';

/** What `stat(2)` needs to know of one path. */
export interface NodeInfo {
  readonly kind: FileKind;
  /** Exact: the length of what `open` gives, of a link's target text, or 4096 for a folder. */
  readonly sizeBytes: number;
  /** When what the path shows last changed, in nanoseconds since 1970. */
  readonly modifiedNs: bigint;
  /** Permission bits, such as 0o644; set-user-ID, set-group-ID and sticky bit included. */
  readonly mode: number;
  /**
   * Identifies the bytes of a file: equal versions have equal bytes. Such a file is opened in the version that it has at that moment, and an open
   * one keeps its version. Absent for a live file, whose content is shared by all who have it open.
   * Of a link it is what the link leads to.
   */
  readonly version?: string;
  /**
   * `st_ino`: a whole number below 2^51, the same for every name of one file, unique in the tree, and kept when the file is renamed. Numbers of
   * a disk are below 2^48, and negative where one stands for a larger number. Absent where the path alone identifies the file.
   */
  readonly inode?: number;
  /**
   * Whether the version may change without `onChange` saying so, because finding out costs as much as making the file. Such a file is made anew
   * when somebody asks for it. Default false.
   */
  readonly changesUntold?: boolean;
  /** For an open file: whether its last name was removed. Default false; where `disk` is present, its `links` say so. */
  readonly isRemoved?: boolean;
  /** Present where the path passes through to a disk; elsewhere these values follow from the others. */
  readonly disk?: DiskInfo;
}

/** The rest of `stat(2)`. */
export interface DiskInfo {
  readonly accessedNs: bigint;
  readonly changedNs: bigint;
  /** When the file was made. Tells it from an earlier file with the same inode number. Absent where the disk does not record it. */
  readonly bornNs?: bigint;
  readonly links: number;
  readonly user: number;
  readonly group: number;
  /** In units of 512 bytes; fewer than the size suggests where the file has holes. */
  readonly blocks: number;
  /** `st_rdev` of a device. */
  readonly device: number;
}

/** A listed name. What is listed can be opened. */
export interface DirEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/**
 * One version of a file. Its content stays the same until it is closed, whatever happens to the path meanwhile. A live file
 * behaves as on a disk instead: all who have it open share one content, which grows and shrinks.
 */
export interface OpenFile {
  readonly sizeBytes: number;
  /** As {@link NodeInfo.version}: which version this is. */
  readonly version?: string;
  /** As {@link NodeInfo.modifiedNs}, of this version, where opening it tells. */
  readonly modifiedNs?: bigint | undefined;
  /** Present for a live file: what `fstat(2)` shows, even after the path is gone. */
  stat?(): NodeInfo;
  /** Fills `target` with the bytes from `position` on. @returns how many there were, 0 past the end */
  read(target: Uint8Array, position: number): Awaitable<number>;
  /**
   * fsync(2) through a descriptor that only reads: afterwards, what others wrote survives a power cut. Absent where nobody writes.
   * @throws FsError ENOSPC, EROFS, EIO
   */
  sync?(context: OpContext): Awaitable<void>;
  /**
   * lseek(2) with SEEK_DATA or SEEK_HOLE. Absent where the whole file is data.
   * @throws FsError ENXIO past the end, and where no data follows
   */
  seek?(position: number, to: 'data' | 'hole'): Awaitable<number>;
  /** For a file open for writing: `flush` does nothing and never fails, so close(2) need not wait for it. Default false. */
  readonly needsNoFlush?: boolean;
  /** For a file that is one of the disk, unchanged: a descriptor of it, open until `close`. Reading from it reads this file. */
  readonly descriptor?: number | undefined;
  /**
   * Present where others may write through a descriptor. Keeps the file free of holes until the returned function is called: making it longer
   * takes the space at once, and punching a hole is refused with ENOTSUP.
   */
  keepSolid?(): () => void;
  close(): void;
}

/** Longest part of a line that a hit shows, in characters. */
export const MAX_SNIPPET_LENGTH = 200;

/** One hit of a search, its path relative to the resolver's root. */
export interface Hit {
  readonly path: SubPath;
  /** 1-based line, or 0 where the hit is no place in a text. */
  readonly line: number;
  readonly kind: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  readonly snippet: string;
}

export interface Query {
  readonly text: string;
  readonly limit: number;
  /** Finds memories that others supersede, too. Default false. */
  readonly superseded?: boolean;
  /** Called with each path, relative to the resolver's root, that cannot be read now and may have what is looked for. */
  readonly onUnread?: (path: SubPath) => void;
}

/** Paths whose content, metadata or existence changed, relative to the resolver's root; `` means all of it. */
export type ChangeListener = (changed: readonly SubPath[]) => void;
export type Unsubscribe = () => void;

/** Which version of a file the caller was shown before it opens the file. */
export interface KnownVersion {
  readonly version: string;
  /** Whether the caller has the bytes already. They are then read or made only if it asks for them all the same. */
  readonly hasBytes: boolean;
}

/**
 * One subtree of the mount. `stat`, `list` and `open` make a read-only tree. Of the methods that are absent, changes answer EROFS,
 * attributes and `exec` answer ENOTSUP, and `search` finds nothing. A resolver does not know where it is mounted.
 */
export interface Resolver extends Partial<Changes<SubPath>> {
  readonly name: string;
  /** Does not follow links. @throws FsError ENOENT, ENOTDIR, EACCES */
  stat(path: SubPath, context: OpContext): Awaitable<NodeInfo>;
  /**
   * `stat` of what may not be there: undefined for that, which takes a fraction of the time of an error. Offered by resolvers where programs look for
   * many names in vain, as before each file that they make.
   * @throws FsError ENOENT too where nothing is there, ENOTDIR, EACCES
   */
  find?(path: SubPath, context: OpContext): Awaitable<NodeInfo | undefined>;
  /** Listed names only, in a stable order, without `.` and `..`. @throws FsError ENOENT, ENOTDIR */
  list(path: SubPath, context: OpContext): Awaitable<readonly DirEntry[]>;
  /**
   * `stat` for many names of one folder: the answers in the order of the names, undefined where `stat` would fail. Offered by resolvers that can
   * answer for many names together, synchronously, in less time than one by one.
   * @throws FsError ENOENT, ENOTDIR
   */
  statNames?(
    folder: SubPath,
    names: readonly string[],
    context: OpContext,
  ): readonly (NodeInfo | undefined)[];
  /**
   * @param known what the caller was shown. While that is still the version, opening is cheaper
   * @throws FsError ENOENT, EISDIR, EACCES
   */
  open(path: SubPath, context: OpContext, known?: KnownVersion): Awaitable<OpenFile>;
  /**
   * Opens a file that will probably be looked up or opened next, so that it is quicker then. Offered by resolvers that can open and read it
   * synchronously, without anything that a caller or the history could notice.
   * @param known as for `open`; absent if nobody has looked the file up yet
   * @returns undefined where nothing would be gained. @throws FsError as `open`
   */
  openAhead?(path: SubPath, known?: KnownVersion): OpenFile | undefined;
  /** The target text of a link, relative and inside the mount. @throws FsError EINVAL where the path is no link */
  readLink?(path: SubPath, context: OpContext): Awaitable<string>;
  /** Extended attributes by their full names (`user.kgraphfs.type`). @throws FsError ENOENT */
  attributes?(path: SubPath, context: OpContext): Awaitable<Attributes>;
  search?(query: Query, context: OpContext): Awaitable<readonly Hit[]>;
  /** Runs one of the resolver's named actions at a path and returns its answer as text. @throws FsError EINVAL, ENOTSUP */
  exec?(path: SubPath, action: string, args: readonly string[], context: OpContext): Awaitable<string>;
  /** The actions that `exec` knows, each with its arguments. */
  readonly actions?: ReadonlyMap<string, string>;
  /**
   * Whether callers may remember that nothing is at this path, since `onChange` will say when something appears. Default true; false where
   * other programs write to a disk, since their changes can be seen a moment before they are reported.
   */
  tellsOfNew?(path: SubPath): boolean;
  /** Says which paths changed, so that the mount can tell the kernel. */
  onChange?(listener: ChangeListener): Unsubscribe;
}
