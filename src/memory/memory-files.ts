import type {
  AttributeUse,
  CreateOptions,
  Space,
  Times,
  WritableFile,
  WriteOptions,
  WriteWay,
} from '../core/changes.ts';
import type { MemoryPlace } from '../core/memory-entry.ts';
import type {
  ChangeListener,
  DirEntry,
  NodeInfo,
  OpContext,
  OpenFile,
  Unsubscribe,
} from '../core/resolver.ts';

/** A file of memory that is open for writing. Everything but a sync is done at once. */
export interface MemoryFile extends WritableFile {
  read(target: Uint8Array, position: number): number;
  write(bytes: Uint8Array, position: number, context: OpContext, way?: WriteWay): number;
  truncate(sizeBytes: number, context: OpContext): void;
  changeMode(mode: number, context: OpContext): void;
  changeTimes(times: Times, context: OpContext): void;
  flush(context: OpContext): void;
  sync(context: OpContext): Promise<void>;
}

/**
 * Memory as files and folders. The folder of a type (its key is empty) contains entries, folders of entries, and the temporary files of editors.
 * Each method does at once what the system call of its name does on a disk.
 */
export interface PlacedFiles {
  /** @throws FsError ENOENT, ENOTDIR */
  stat(place: MemoryPlace): NodeInfo;
  /** @throws FsError ENOENT, ENOTDIR */
  list(place: MemoryPlace): DirEntry[];
  /** The file is live. @throws FsError ENOENT, ENOTDIR, EISDIR */
  open(place: MemoryPlace, context: OpContext): OpenFile;
  /** @throws FsError ENOENT, ENOTDIR, EISDIR */
  openToWrite(place: MemoryPlace, options: WriteOptions, context: OpContext): MemoryFile;
  /** Makes a file. Its name is there at once, and stored with the first commit. @throws FsError EEXIST, EISDIR, ENOENT, ENOTDIR */
  create(place: MemoryPlace, options: CreateOptions, context: OpContext): MemoryFile;
  /** @throws FsError ENOENT, ENOTDIR, EISDIR, EFBIG, EINVAL */
  truncate(place: MemoryPlace, sizeBytes: number, context: OpContext): void;
  /** @throws FsError EEXIST, ENOENT, ENOTDIR */
  makeFolder(place: MemoryPlace, mode: number): void;
  /** @throws FsError ENOENT, ENOTDIR, ENOTEMPTY */
  removeFolder(place: MemoryPlace): void;
  /** @throws FsError ENOENT, ENOTDIR, EISDIR */
  remove(place: MemoryPlace, context: OpContext): void;
  /** @throws FsError ENOENT, ENOTDIR, EISDIR, ENOTEMPTY, EINVAL */
  rename(from: MemoryPlace, to: MemoryPlace, context: OpContext): void;
  /** @throws FsError ENOENT, ENOTDIR */
  changeMode(place: MemoryPlace, mode: number): void;
  /** @throws FsError ENOENT, ENOTDIR */
  changeTimes(place: MemoryPlace, times: Times, context: OpContext): void;
  /** Attributes by full name; folders have none. @throws FsError ENOENT, ENOTDIR */
  attributes(place: MemoryPlace): ReadonlyMap<string, string>;
  /** @throws FsError ENOENT, ENOTDIR, ENOTSUP, EPERM, EEXIST, ENODATA, EINVAL with the reason in errors.jsonl */
  setAttribute(
    place: MemoryPlace,
    name: string,
    value: Uint8Array,
    use: AttributeUse,
    context: OpContext,
  ): void;
  /** @throws FsError ENOENT, ENOTDIR, ENOTSUP, EPERM, ENODATA */
  removeAttribute(place: MemoryPlace, name: string, context: OpContext): void;
  /** Resolves when everything that has been committed will survive a power cut. @throws FsError EROFS, EIO */
  sync(): Promise<void>;
  space(): Space;
}

/** Memory as the files below `memory/`, and those of it that `review/` shows. */
export interface MemoryFiles extends PlacedFiles {
  readonly review: ReviewFiles;
  /** Tells of changes below the folder that contains `memory` and `review`, except for changes that were made through the same path. */
  onChange(listener: ChangeListener): Unsubscribe;
}

/** The entries that wait for a person in `review/`, by the names that they have there. */
export interface ReviewFiles {
  /** The same files, for changes that are made through the names in `review/`: listeners of the paths in `memory/` are told of those. */
  readonly files: PlacedFiles;
  /** The entry with this name; undefined if the name is that of a folder, or of nothing. */
  placeOf(name: string): MemoryPlace | undefined;
  /** The names in a folder; undefined if it is no folder. The empty name is the top folder. */
  list(name: string): DirEntry[] | undefined;
  /** When the names last changed, in nanoseconds since 1970. */
  modifiedNs(): bigint;
  /** Moves the entry with its content to where it belongs. @throws FsError ENOENT, ENOTDIR, EISDIR, EINVAL */
  accept(name: string, to: MemoryPlace, context: OpContext): void;
  /** Removes the entry; it can be restored. @throws FsError ENOENT */
  reject(name: string, context: OpContext): void;
}
