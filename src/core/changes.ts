import type { Awaitable, NodeInfo, OpContext, OpenFile } from './resolver.ts';

/** How a file is opened to be written. Reading is always allowed too: it is the kernel that holds a caller to O_WRONLY. */
export interface WriteOptions {
  /** O_APPEND: every write goes to the end of the file as it is then, whatever position it names. */
  readonly append: boolean;
  /** O_TRUNC, where it comes with the opening: see {@link WritableFile.empty}. */
  readonly truncate: boolean;
}

export interface CreateOptions extends WriteOptions {
  /** Permission bits, the caller's umask already taken off. */
  readonly mode: number;
  /** O_EXCL: EEXIST where there is a file. Without it that file is opened. */
  readonly exclusive: boolean;
}

/**
 * Where bytes go: to their position, or behind the end of a file that was opened to append; to their position in any case; or there as a page of
 * a mapping, which has all that was read there when it was read, and what was stored into it since.
 */
export type WriteWay = 'as opened' | 'in place' | 'mapped';

/** A file of which more may be changed than its bytes by whoever has it open, also to be read, and though it has no name any more. */
export interface DescribableFile extends OpenFile {
  /** Opens the same file once more, to be written. Absent: it cannot be. @throws FsError EACCES */
  openAgain?(options: Pick<WriteOptions, 'append'>): WritableFile;
  /** fchmod(2), fchown(2), futimens(2). Absent: ENOTSUP. @throws FsError EPERM */
  changeMode?(mode: number, context: OpContext): Awaitable<void>;
  changeOwner?(owner: Owner, context: OpContext): Awaitable<void>;
  changeTimes?(times: Times, context: OpContext): Awaitable<void>;
}

/** A file open for writing; always live. */
export interface WritableFile extends DescribableFile {
  stat(): NodeInfo;
  /**
   * @param bytes only good until the method returns; what is needed later has to be copied by then
   * @returns how many bytes were taken, from the first on
   * @throws FsError EFBIG, ENOSPC, EIO
   */
  write(bytes: Uint8Array, position: number, context: OpContext, way?: WriteWay): Awaitable<number>;
  /** Cuts, or fills up with zeros. @throws FsError EFBIG, ENOSPC */
  truncate(sizeBytes: number, context: OpContext): Awaitable<void>;
  /**
   * O_TRUNC, right behind the opening: the file is empty for all who have it open, and what is kept may stay until something is written
   * or the last handle is closed. Absent: the tree's own `truncate`.
   */
  empty?(): void;
  /**
   * For every close(2) of a descriptor of this file, and so more than once: when it is done, what was written survives the
   * end of this process. Its error is what close(2) answers.
   * @throws FsError EINVAL, EFBIG, ENOSPC, EIO
   */
  flush(context: OpContext): Awaitable<void>;
  /** fsync(2): when it is done, what was written survives a power cut. @throws FsError as `flush` */
  sync(context: OpContext): Awaitable<void>;
  /** fallocate(2), with its mode bits. Absent: ENOTSUP. @throws FsError EFBIG, ENOSPC, ENOTSUP */
  allocate?(mode: number, position: number, sizeBytes: number, context: OpContext): Awaitable<void>;
  /**
   * copy_file_range(2) from another open file of the same tree. Absent, and undefined: it is copied by reading and writing.
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

/** What rename(2) does where the new name is taken: replaces it, refuses (RENAME_NOREPLACE), or swaps both (RENAME_EXCHANGE). */
export type RenameUse = 'replace' | 'keep' | 'exchange';

export interface NewNode {
  readonly kind: 'file' | 'pipe' | 'socket' | 'character device' | 'block device';
  readonly mode: number;
  /** `st_rdev` of a device. */
  readonly device: number;
}

export interface Owner {
  /** Absent: stays as it is. */
  readonly user?: number;
  readonly group?: number;
}

/** Nanoseconds since 1970, or now, by the clock that the times of writes are taken from. */
export type TimeNs = bigint | 'now';

export interface Times {
  /** Absent: stays as it is. */
  readonly accessedNs?: TimeNs;
  readonly modifiedNs?: TimeNs;
}

/** What statvfs(3) shows of the space behind a path. */
export interface Space {
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly totalFiles: number;
  readonly freeFiles: number;
}

/** Whether an extended attribute has to be new (XATTR_CREATE), there already (XATTR_REPLACE), or either. */
export type AttributeUse = 'create' | 'replace' | 'either';

/**
 * The ways to change a tree, with the meaning and the errors that the system call of that name has on a local disk
 * (man page of section 2). A method that has answered is done: whatever it changed is seen by the next operation.
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
  /** unlink(2): who has the file open keeps it. @throws FsError ENOENT, EISDIR */
  remove(path: Path, context: OpContext): Awaitable<void>;
  /**
   * renameat2(2). Who cannot exchange answers EINVAL, as disks do.
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
   * fsync(2) of a folder: when it is done, what was made, moved and removed in it survives a power cut. Nothing to do where
   * nobody writes. @throws FsError ENOENT, ENOTDIR, ENOSPC, EROFS, EIO
   */
  syncFolder(path: Path, context: OpContext): Awaitable<void>;
  /** statvfs(3). */
  space(path: Path, context: OpContext): Awaitable<Space>;
}
