import { FsError } from '../../core/errors.ts';
import { below, type VfsPath } from '../../core/paths.ts';
import type { Awaitable, OpenFile } from '../../core/resolver.ts';
import { Version } from './version.ts';

/** All handles of one path. */
interface SharedFile {
  readonly path: VfsPath;
  version: Version;
  handles: number;
}

/** A handle is an int32 that is not 0: the binding takes 0 for none. */
const MAX_HANDLE = 2 ** 31 - 1;

/**
 * Open files by handle. All handles of one path read the version that was opened last: libfuse 2 gives a path one inode, so all its
 * readers share one page cache, and two versions in it would mix.
 */
export class OpenFiles {
  readonly #byHandle = new Map<number, SharedFile>();
  readonly #byPath = new Map<VfsPath, SharedFile>();
  readonly #maxHandle: number;
  #lastHandle = 0;

  constructor(maxHandle = MAX_HANDLE) {
    this.#maxHandle = maxHandle;
  }

  /** @returns a handle no one else has */
  add(path: VfsPath, file: OpenFile): number {
    const version = new Version(file);
    const shared = this.#byPath.get(path) ?? { path, version, handles: 0 };
    if (shared.version !== version) {
      shared.version.retire();
      shared.version = version;
    }
    shared.handles += 1;
    this.#byPath.set(path, shared);
    const handle = this.#freeHandle();
    this.#byHandle.set(handle, shared);
    return handle;
  }

  read(handle: number, path: string, sizeBytes: number, position: number): Awaitable<Uint8Array> {
    const shared = this.#byHandle.get(handle);
    if (!shared) throw new FsError('EBADF', path, 'this file is not open');
    return shared.version.read(sizeBytes, position);
  }

  release(handle: number): void {
    const shared = this.#byHandle.get(handle);
    if (!shared) return;
    this.#byHandle.delete(handle);
    shared.handles -= 1;
    if (shared.handles > 0) return;
    this.#byPath.delete(shared.path);
    shared.version.retire();
  }

  /** Whether one of these paths, or something below it, is open. */
  hasBelow(paths: readonly VfsPath[]): boolean {
    return [...this.#byPath.keys()].some((open) => paths.some((path) => below(open, path) !== undefined));
  }

  #freeHandle(): number {
    do {
      this.#lastHandle = this.#lastHandle >= this.#maxHandle ? 1 : this.#lastHandle + 1;
    } while (this.#byHandle.has(this.#lastHandle));
    return this.#lastHandle;
  }
}
