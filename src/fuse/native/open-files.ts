import type { WritableFile } from '../../core/changes.ts';
import { FsError } from '../../core/errors.ts';
import { below, joinPath, type VfsPath } from '../../core/paths.ts';
import type { OpenFile } from '../../core/resolver.ts';
import { Version } from '../version.ts';
import { CreatedWriter } from './created-writer.ts';

/** What a handle stands for: one opening of a live file, or all openings of one path. */
export interface OpenedFile {
  /** Changes when the file is renamed. */
  path: VfsPath;
  version: Version;
  handles: number;
  /** Present where the file was created, and so with flags that nobody knows. */
  readonly creator?: CreatedWriter;
}

/** Handles are int32 numbers other than 0, which the binding takes for none. */
const MAX_HANDLE = 2 ** 31 - 1;

/**
 * Open files by handle. A live file has its own handle for each opening. For other files, all handles of one path read the version that was opened last:
 * libfuse 2 gives a path one inode, so all its readers share one page cache, and two versions in it would mix.
 */
export class OpenFiles {
  readonly #byHandle = new Map<number, OpenedFile>();
  readonly #versions = new Map<VfsPath, OpenedFile>();
  readonly #live = new Map<VfsPath, Set<OpenedFile>>();
  readonly #maxHandle: number;
  #lastHandle = 0;

  constructor(maxHandle = MAX_HANDLE) {
    this.#maxHandle = maxHandle;
  }

  /** @returns a new handle that nobody else has */
  add(path: VfsPath, file: OpenFile): number {
    return this.#add(file.stat ? this.#addLive({ path, file }) : this.#addVersion(path, file));
  }

  /** Adds a file that did not exist before. @returns its handle */
  addCreated(path: VfsPath, file: WritableFile): number {
    return this.#add(this.#addLive({ path, file, creator: new CreatedWriter() }));
  }

  #add(opened: OpenedFile): number {
    const handle = this.#freeHandle();
    this.#byHandle.set(handle, opened);
    return handle;
  }

  /** Makes one more handle of a file that is open. @returns the handle */
  share(opened: OpenedFile): number {
    const handle = this.#freeHandle();
    this.#byHandle.set(handle, opened);
    opened.handles += 1;
    return handle;
  }

  /** @throws FsError EBADF */
  get(handle: number, path: string): OpenedFile {
    const opened = this.#byHandle.get(handle);
    if (!opened) throw new FsError('EBADF', path, 'this file is not open');
    return opened;
  }

  /** The live file that is open under this name. */
  liveAt(path: VfsPath): OpenedFile | undefined {
    return this.#live.get(path)?.values().next().value;
  }

  /** The file that was opened last for writing. */
  lastWriterAt(path: VfsPath): WritableFile | undefined {
    return [...(this.#live.get(path) ?? [])].findLast(({ version }) => version.writable)?.version.writable;
  }

  /** To be called when the kernel is told of the file at this path. */
  shown(path: VfsPath, sizeBytes: number): void {
    if (this.#live.size === 0) return;
    for (const { creator, version } of this.#live.get(path) ?? [])
      if (creator !== undefined && version.file.sizeBytes !== sizeBytes) creator.sawOther(sizeBytes);
  }

  /**
   * To be called when a file was written or truncated through this mount.
   * @param sizeBytes where the kernel believes that it ends since then
   * @param writer whoever has written it
   */
  resized(path: VfsPath, sizeBytes: number, writer?: OpenedFile): void {
    for (const opened of this.#live.get(path) ?? []) if (opened !== writer) opened.creator?.sawEnd(sizeBytes);
  }

  release(handle: number): void {
    const opened = this.#byHandle.get(handle);
    if (!opened) return;
    this.#byHandle.delete(handle);
    opened.handles -= 1;
    if (opened.handles > 0) return;
    if (this.#versions.get(opened.path) === opened) this.#versions.delete(opened.path);
    this.#removeLive(opened);
    opened.version.retire();
  }

  /** Moves live files that are open below a name to another name. */
  move(from: VfsPath, to: VfsPath): void {
    for (const [path, moved] of [...this.#live]) {
      const rest = below(path, from);
      if (rest === undefined) continue;
      for (const opened of moved) {
        this.#removeLive(opened);
        opened.path = joinPath(to, rest);
        this.#keepLive(opened);
      }
    }
  }

  /** Whether one of these paths, or something below it, is open. */
  hasBelow(paths: readonly VfsPath[]): boolean {
    const isBelow = (open: VfsPath): boolean => paths.some((path) => below(open, path) !== undefined);
    return [...this.#versions.keys()].some(isBelow) || [...this.#live.keys()].some(isBelow);
  }

  #addLive({
    file,
    ...rest
  }: Pick<OpenedFile, 'path' | 'creator'> & { readonly file: OpenFile }): OpenedFile {
    const opened = { ...rest, version: new Version(file), handles: 1 };
    this.#keepLive(opened);
    return opened;
  }

  #addVersion(path: VfsPath, file: OpenFile): OpenedFile {
    const version = new Version(file);
    const shared = this.#versions.get(path) ?? { path, version, handles: 0 };
    if (shared.version !== version) {
      shared.version.retire();
      shared.version = version;
    }
    shared.handles += 1;
    this.#versions.set(path, shared);
    return shared;
  }

  #keepLive(opened: OpenedFile): void {
    const others = this.#live.get(opened.path);
    if (others) others.add(opened);
    else this.#live.set(opened.path, new Set([opened]));
  }

  #removeLive(opened: OpenedFile): void {
    const others = this.#live.get(opened.path);
    if (others?.delete(opened) && others.size === 0) this.#live.delete(opened.path);
  }

  #freeHandle(): number {
    do {
      this.#lastHandle = this.#lastHandle >= this.#maxHandle ? 1 : this.#lastHandle + 1;
    } while (this.#byHandle.has(this.#lastHandle));
    return this.#lastHandle;
  }
}
