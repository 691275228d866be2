import type { Changes } from './changes.ts';
import type { SubPath } from './paths.ts';

/** A value, or a promise of it: a resolver answers at once where it can. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Who asks for an operation, as far as it is known. */
export interface Caller {
  /** A command, a tool or a model by its name. */
  readonly name?: string | undefined;
  readonly pid?: number | undefined;
  /** The same for all that one process does, and for no other process: a pid is used again. */
  readonly process?: string | undefined;
  readonly uid?: number;
  readonly gid?: number;
  /** The session that it says it belongs to, where that is not the one of the mount. */
  readonly session?: string | undefined;
}

/** What a caller brings to one operation. */
export interface OpContext {
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal;
  /** Absent where nobody can tell, as with fuse-native. */
  readonly caller?: Caller;
  /** Has something done as soon as the caller was answered; absent where it can as well be done at once. See {@link doLater}. */
  later?(action: () => void): void;
}

/** Does what the caller need not wait for. @param action must not throw */
export function doLater(context: OpContext, action: () => void): void {
  if (context.later === undefined) action();
  else context.later(action);
}

export type PlainKind = 'file' | 'directory' | 'link';

/** Others than the plain ones are found only in folders that pass through to a disk. */
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
   * Stands for the bytes of a file: where it is the same, so are they. A file that has one is opened as it is then, and an open one stays so.
   * Absent where the file is live: all who have it open share one content.
   */
  readonly version?: string;
  /**
   * `st_ino`: a whole number below 2^51, the same for each name of one file and for no other file of the tree, and kept when the file is
   * renamed. A disk's own are below 2^48. Absent where the path is the file.
   */
  readonly inode?: number;
  /**
   * Whether a file may be another version by now without `onChange` telling: to find that out takes as long as to make it, so it is made when
   * somebody asks. Default false.
   */
  readonly changesUntold?: boolean;
  /** Of an open file: whether its name is gone, so that nothing leads to it any more. Default false; what has `disk` says so there. */
  readonly isRemoved?: boolean;
  /** What only a path that passes through to a disk knows; all others show what follows from the rest. */
  readonly disk?: DiskInfo;
}

/** The rest of `stat(2)`. */
export interface DiskInfo {
  readonly accessedNs: bigint;
  readonly changedNs: bigint;
  /** When the file was made: a disk gives the inode number of a removed file to the next one. Absent where the disk does not know. */
  readonly bornNs?: bigint;
  readonly links: number;
  readonly user: number;
  readonly group: number;
  /** Of 512 bytes each; less than the size asks for where the file has holes. */
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
 * The content of one version of a file, which stays what it is until closed, whatever happens to the path
 * meanwhile. A live one is as on a disk instead: all who have it open share one content, which grows and shrinks.
 */
export interface OpenFile {
  readonly sizeBytes: number;
  /** As {@link NodeInfo.version}: which version this is. */
  readonly version?: string;
  /** Present where the file is live: what `fstat(2)` shows, also after the path is gone. */
  stat?(): NodeInfo;
  /** Fills `target` from `position` on; returns the count of bytes, 0 past the end. */
  read(target: Uint8Array, position: number): Awaitable<number>;
  /**
   * fsync(2) by one who only reads: when it is done, what others wrote survives a power cut. Absent where nobody writes.
   * @throws FsError ENOSPC, EROFS, EIO
   */
  sync?(context: OpContext): Awaitable<void>;
  /**
   * lseek(2) with SEEK_DATA or SEEK_HOLE. Absent: all of it is data, up to its end.
   * @throws FsError ENXIO past the end, and where no data follows
   */
  seek?(position: number, to: 'data' | 'hole'): Awaitable<number>;
  /** Of a file open for writing: `flush` has nothing to do and never fails, so close(2) need not wait for it. Default false. */
  readonly needsNoFlush?: boolean;
  /** Of a file that is a disk's, as it is: a descriptor of that, open until `close`. Reading it is reading this. */
  readonly descriptor?: number | undefined;
  /**
   * Present where there is a descriptor that others may write by. Until what it returns is called, no hole comes about in the file: who makes
   * it longer takes the space at once, and who would make a hole in it is told ENOTSUP.
   */
  keepSolid?(): () => void;
  close(): void;
}

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
}

/** Paths whose content, metadata or existence changed, relative to the resolver's root; `` means all of it. */
export type ChangeListener = (changed: readonly SubPath[]) => void;
export type Unsubscribe = () => void;

/** What the caller was shown of a file before it opens it. */
export interface KnownVersion {
  readonly version: string;
  /** Whether the caller has its bytes already: they are read from the disk, or made, only when they are asked for all the same. */
  readonly hasBytes: boolean;
}

/**
 * One subtree of the mount. Three methods make a read-only tree; what is absent answers EROFS (a change), ENOTSUP
 * (an attribute, exec) or finds nothing (search). A resolver does not know where it is mounted.
 */
export interface Resolver extends Partial<Changes<SubPath>> {
  readonly name: string;
  /** Does not follow links. @throws FsError ENOENT, ENOTDIR, EACCES */
  stat(path: SubPath, context: OpContext): Awaitable<NodeInfo>;
  /** Listed names only, in a stable order, without `.` and `..`. @throws FsError ENOENT, ENOTDIR */
  list(path: SubPath, context: OpContext): Awaitable<readonly DirEntry[]>;
  /**
   * What `stat` says of names in a folder, in their order, undefined for one of which it would fail. For those who can say it of many in less time than
   * of one after the other, and at once.
   * @throws FsError ENOENT, ENOTDIR
   */
  statNames?(
    folder: SubPath,
    names: readonly string[],
    context: OpContext,
  ): readonly (NodeInfo | undefined)[];
  /**
   * @param known what the caller was shown. Where it is that still, it takes less to open it
   * @throws FsError ENOENT, EISDIR, EACCES
   */
  open(path: SubPath, context: OpContext, known?: KnownVersion): Awaitable<OpenFile>;
  /**
   * Opens what somebody will probably look up or open next, before anybody does: it takes less then. For those who can do it, and read the
   * file, at once and with nothing that a caller or the history could see.
   * @param known as `open`'s; absent where nobody looked it up yet
   * @returns undefined where there is nothing to be gained. @throws FsError as `open`
   */
  openAhead?(path: SubPath, known?: KnownVersion): OpenFile | undefined;
  /** The target text of a link, relative and inside the mount. @throws FsError EINVAL where the path is no link */
  readLink?(path: SubPath, context: OpContext): Awaitable<string>;
  /** Extended attributes by their full names (`user.kgraphfs.type`). @throws FsError ENOENT */
  attributes?(path: SubPath, context: OpContext): Awaitable<ReadonlyMap<string, string>>;
  search?(query: Query, context: OpContext): Awaitable<readonly Hit[]>;
  /** Runs one of the resolver's named actions at a path and returns its answer as text. @throws FsError EINVAL, ENOTSUP */
  exec?(path: SubPath, action: string, args: readonly string[], context: OpContext): Awaitable<string>;
  /** The actions that `exec` knows, each with its arguments. */
  readonly actions?: ReadonlyMap<string, string>;
  /**
   * Whether it may be remembered that there is nothing at a path, since `onChange` tells when there is. Default true; false where other programs
   * write to a disk, which is told a moment later than it can be asked for.
   */
  tellsOfNew?(path: SubPath): boolean;
  /** Says which paths changed, so that the mount can tell the kernel. */
  onChange?(listener: ChangeListener): Unsubscribe;
}
