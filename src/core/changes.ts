import type { Attributes, Awaitable, NodeInfo, OpContext, OpenFile } from './resolver.ts';

/** How a file is opened for writing. Reading is always allowed as well: the kernel itself enforces O_WRONLY. */
export interface WriteOptions {
  /** O_APPEND: every write goes to the end of the file as it is then, whatever position it names. */
  readonly append: boolean;
  /** O_TRUNC, if it comes with the open; if it comes after it, see {@link WritableFile.empty}. */
  readonly truncate: boolean;
}

export interface CreateOptions extends WriteOptions {
  /** Permission bits, with the caller's umask already applied. */
  readonly mode: number;
  /** O_EXCL: fails with EEXIST if the file exists. Otherwise an existing file is opened. */
  readonly exclusive: boolean;
}

/**
 * Where written bytes go.
 * - `as opened`: to their position, or to the end of a file that was opened to append
 * - `in place`: to their position in any case
 * - `at the end`: to the end of the file as it is then. Their position is where the kernel believes the end to be
 * - `where it ended`: to their position, which is where the kernel believes the end to be. Whether the writer appends is not known, so what others have
 *   appended since this writer's bytes were stored is not overwritten
 * - `mapped`: to their position, as a page of a mapping. It holds what was read there at some earlier time, and what was stored into it since
 */
export type WriteWay = 'as opened' | 'in place' | 'at the end' | 'where it ended' | 'mapped';

/** A file whose metadata can be changed through a descriptor, even one that only reads, and even after the file has lost its name. */
export interface DescribableFile extends OpenFile {
  /** Opens the same file once more, for writing. Absent if that is impossible. @throws FsError EACCES */
  openAgain?(options: Pick<WriteOptions, 'append'>): WritableFile;
  /** fchmod(2), fchown(2), futimens(2). Absent: ENOTSUP. @throws FsError EPERM */
  changeMode?(mode: number, context: OpContext): Awaitable<void>;
  changeOwner?(owner: Owner, context: OpContext): Awaitable<void>;
  changeTimes?(times: Times, context: OpContext): Awaitable<void>;
  /** Its extended attributes; see {@link Resolver.attributes}. Absent: it has none. */
  attributes?(context: OpContext): Awaitable<Attributes>;
  /** As in {@link Changes}. Absent: ENOTSUP. */
  setAttribute?(name: string, value: Uint8Array, use: AttributeUse, context: OpContext): Awaitable<void>;
  removeAttribute?(name: string, context: OpContext): Awaitable<void>;
}

/** A file that is open for writing. It is always live: all who have it open share one content. */
export interface WritableFile extends DescribableFile {
  stat(): NodeInfo;
  /**
   * @param bytes only valid until the method returns; what is needed later has to be copied before
   * @returns how many bytes were taken, counted from the first
   * @throws FsError EFBIG, ENOSPC, EIO
   */
  write(bytes: Uint8Array, position: number, context: OpContext, way?: WriteWay): Awaitable<number>;
  /** Gives the file another length: cuts it, or fills it up with zeros. @throws FsError EFBIG, ENOSPC */
  truncate(sizeBytes: number, context: OpContext): Awaitable<void>;
  /**
   * O_TRUNC, if it comes right after the open: the file becomes empty for all who have it open, but the stored content may stay until something is
   * written or the last handle is closed. Absent if the tree's own `truncate` does.
   */
  empty?(): void;
  /**
   * Called at every close(2) of a descriptor of this file, and so possibly more than once. When it is done, what was written survives the
   * end of this process. close(2) fails with its error.
   * @throws FsError EINVAL, EFBIG, ENOSPC, EIO
   */
  flush(context: OpContext): Awaitable<void>;
  /** fsync(2): when it is done, what was written survives a power cut. @throws FsError like `flush` */
  sync(context: OpContext): Awaitable<void>;
  /** fallocate(2), with its mode bits. Absent: ENOTSUP. @throws FsError EFBIG, ENOSPC, ENOTSUP */
  allocate?(mode: number, position: number, sizeBytes: number, context: OpContext): Awaitable<void>;
  /**
   * copy_file_range(2) from another open file of the same tree. If it is absent or returns undefined, the bytes are copied by reading and writing.
   * @returns how many bytes were copied
   */
  copyFrom?(
    source: OpenFile,
    sourcePosition: number,
    position: number,
    sizeBytes: number,
    context: OpContext,
  ): Awaitable<number | undefined>;
}

/** What rename(2) does if the new name is taken: replaces it, refuses (RENAME_NOREPLACE, `keep`), or swaps both (RENAME_EXCHANGE). */
export type RenameUse = 'replace' | 'keep' | 'exchange';

export interface NewNode {
  readonly kind: 'file' | 'pipe' | 'socket' | 'character device' | 'block device';
  readonly mode: number;
  /** `st_rdev` of a device. */
  readonly device: number;
}

export interface Owner {
  /** Both are absent if they stay as they are. */
  readonly user?: number;
  readonly group?: number;
}

/** Nanoseconds since 1970, or the time now, by the clock that also dates writes. */
export type TimeNs = bigint | 'now';

export interface Times {
  /** Both are absent if they stay as they are. */
  readonly accessedNs?: TimeNs;
  readonly modifiedNs?: TimeNs;
}

/** What statvfs(3) shows of the disk behind a path. */
export interface Space {
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly totalFiles: number;
  readonly freeFiles: number;
}

/** Whether an extended attribute has to be new (XATTR_CREATE), has to exist already (XATTR_REPLACE), or may be either. */
export type AttributeUse = 'create' | 'replace' | 'either';

/**
 * The ways to change a tree. Each has the meaning and the errors of the system call of that name on a local disk (see its man page in section 2).
 * Once a method has answered, the next operation sees the change.
 */
export interface Changes<Path> {
  /** Opens what is there. @throws FsError ENOENT, EISDIR, EACCES */
  openToWrite(path: Path, options: WriteOptions, context: OpContext): Awaitable<WritableFile>;
  /** Makes a file and opens it. @throws FsError EEXIST, ENOENT, ENOTDIR, ENOSPC, EACCES */
  create(path: Path, options: CreateOptions, context: OpContext): Awaitable<WritableFile>;
  /** truncate(2). @throws FsError ENOENT, EISDIR, EFBIG, ENOSPC */
  truncate(path: Path, sizeBytes: number, context: OpContext): Awaitable<void>;
  /** mkdir(2). @throws FsError EEXIST, ENOENT, ENOTDIR, ENOSPC */
  makeFolder(path: Path, mode: number, context: OpContext): Awaitable<void>;
  /** rmdir(2). @throws FsError ENOENT, ENOTDIR, ENOTEMPTY */
  removeFolder(path: Path, context: OpContext): Awaitable<void>;
  /** unlink(2): whoever has the file open keeps it. @throws FsError ENOENT, EISDIR */
  remove(path: Path, context: OpContext): Awaitable<void>;
  /**
   * renameat2(2). A tree that cannot exchange names answers EINVAL, as disks do.
   * @throws FsError ENOENT, ENOTDIR, EISDIR, ENOTEMPTY, EXDEV, EINVAL, EEXIST
   */
  rename(from: Path, to: Path, context: OpContext, use?: RenameUse): Awaitable<void>;
  /** link(2). @throws FsError EEXIST, ENOENT, EPERM, EXDEV */
  link(existing: Path, path: Path, context: OpContext): Awaitable<void>;
  /** symlink(2); the target is free text. @throws FsError EEXIST, ENOENT */
  symlink(target: string, path: Path, context: OpContext): Awaitable<void>;
  /** mknod(2). @throws FsError EEXIST, ENOENT, EPERM */
  makeNode(path: Path, node: NewNode, context: OpContext): Awaitable<void>;
  /** chmod(2). @throws FsError ENOENT, EPERM */
  changeMode(path: Path, mode: number, context: OpContext): Awaitable<void>;
  /** lchown(2). @throws FsError ENOENT, EPERM */
  changeOwner(path: Path, owner: Owner, context: OpContext): Awaitable<void>;
  /** utimensat(2). @throws FsError ENOENT, EPERM */
  changeTimes(path: Path, times: Times, context: OpContext): Awaitable<void>;
  /** lsetxattr(2), by full name. @throws FsError ENOENT, EEXIST, ENODATA, EINVAL, ENOTSUP */
  setAttribute(
    path: Path,
    name: string,
    value: Uint8Array,
    use: AttributeUse,
    context: OpContext,
  ): Awaitable<void>;
  /** lremovexattr(2). @throws FsError ENOENT, ENODATA, EPERM */
  removeAttribute(path: Path, name: string, context: OpContext): Awaitable<void>;
  /**
   * fsync(2) of a folder: when it is done, what was made, moved and removed in it survives a power cut. A tree that nobody writes
   * to has nothing to do. @throws FsError ENOENT, ENOTDIR, ENOSPC, EROFS, EIO
   */
  syncFolder(path: Path, context: OpContext): Awaitable<void>;
  /** statvfs(3). */
  space(path: Path, context: OpContext): Awaitable<Space>;
}
