import type { SubPath } from './paths.ts';

/** A value, or a promise of it: a resolver answers at once where it can. */
export type Awaitable<T> = T | PromiseLike<T>;

/** What a caller brings to one operation. */
export interface OpContext {
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal;
}

export type FileKind = 'file' | 'directory' | 'link';

/** What `stat(2)` needs to know of one path. */
export interface NodeInfo {
  readonly kind: FileKind;
  /** Exact: the length of what `open` gives, of a link's target text, or 4096 for a folder. */
  readonly sizeBytes: number;
  /** When what the path shows last changed, in nanoseconds since 1970. */
  readonly modifiedNs: bigint;
  /** Permission bits, such as 0o644. */
  readonly mode: number;
}

/** A listed name. What is listed can be opened. */
export interface DirEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/**
 * The content of one version of a file, which stays what it is until closed, whatever happens to the path
 * meanwhile.
 */
export interface OpenFile {
  readonly sizeBytes: number;
  /** Fills `target` from `position` on; returns the count of bytes, 0 past the end. */
  read(target: Uint8Array, position: number): Awaitable<number>;
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
}

/** Paths whose content, metadata or existence changed, relative to the resolver's root; `` means all of it. */
export type ChangeListener = (changed: readonly SubPath[]) => void;
export type Unsubscribe = () => void;

/**
 * One subtree of the mount. Three methods make a read-only tree; what is absent answers EROFS (a change), ENOTSUP
 * (an attribute, exec) or finds nothing (search). A resolver does not know where it is mounted.
 */
export interface Resolver {
  readonly name: string;
  /** Does not follow links. @throws FsError ENOENT, ENOTDIR, EACCES */
  stat(path: SubPath, context: OpContext): Awaitable<NodeInfo>;
  /** Listed names only, in a stable order, without `.` and `..`. @throws FsError ENOENT, ENOTDIR */
  list(path: SubPath, context: OpContext): Awaitable<readonly DirEntry[]>;
  /** @throws FsError ENOENT, EISDIR, EACCES */
  open(path: SubPath, context: OpContext): Awaitable<OpenFile>;
  /** The target text of a link, relative and inside the mount. @throws FsError EINVAL where the path is no link */
  readLink?(path: SubPath, context: OpContext): Awaitable<string>;
  /** Extended attributes by their full names (`user.kgraphfs.type`). @throws FsError ENOENT */
  attributes?(path: SubPath, context: OpContext): Awaitable<ReadonlyMap<string, string>>;
  search?(query: Query, context: OpContext): Awaitable<readonly Hit[]>;
  /** Runs one of the resolver's named actions at a path and returns its answer as text. @throws FsError EINVAL, ENOTSUP */
  exec?(path: SubPath, action: string, args: readonly string[], context: OpContext): Awaitable<string>;
  /** The actions that `exec` knows, each with its arguments. */
  readonly actions?: ReadonlyMap<string, string>;
  /** Says which paths changed, so that the mount can tell the kernel. */
  onChange?(listener: ChangeListener): Unsubscribe;
}
