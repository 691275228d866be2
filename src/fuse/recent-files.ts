import { after, isPromiseLike } from '../core/awaitable.ts';
import { below, type VfsPath } from '../core/paths.ts';
import type { Awaitable, KnownVersion, OpContext, OpenFile } from '../core/resolver.ts';
import { Version } from './version.ts';

const MAX_FILES = 64;

/** Opens a path for the first read of it. @param known the version that the kernel was shown, where that is told */
export type FileOpener = (path: VfsPath, context: OpContext, known?: KnownVersion) => Awaitable<OpenFile>;

/** Which bytes are wanted. */
export interface Range {
  readonly sizeBytes: number;
  readonly position: number;
}

/**
 * Reads without handles, for a mount whose opens the kernel does not send: the file behind a path stays open for the next
 * reads until one comes to its end, it changes, or 64 others were read since.
 */
export class RecentFiles {
  readonly #open: FileOpener;
  readonly #maxFiles: number;
  /** Least recently read first. */
  readonly #versions = new Map<VfsPath, Version>();
  #changes = 0;

  constructor(open: FileOpener, maxFiles = MAX_FILES) {
    this.#open = open;
    this.#maxFiles = maxFiles;
  }

  /** @param known the version that the kernel was shown, which takes less to open where it is still there */
  read(path: VfsPath, range: Range, context: OpContext, known?: KnownVersion): Awaitable<Uint8Array> {
    const version = this.#versions.get(path);
    if (version) return this.#readAndKeep(path, version, range);
    const changesBefore = this.#changes;
    const file = this.#open(path, context, known);
    if (!isPromiseLike(file)) return this.#readAndKeep(path, new Version(file), range);
    return file.then((file) => {
      const version = new Version(file);
      if (this.#changes === changesBefore) return this.#readAndKeep(path, version, range);
      const bytes = version.read(range.sizeBytes, range.position);
      version.retire();
      return bytes;
    });
  }

  /** Lets go of these paths and all below them. */
  change(paths: readonly VfsPath[]): void {
    this.#changes += 1;
    for (const [path, version] of this.#versions) {
      if (!paths.some((changed) => below(path, changed) !== undefined)) continue;
      this.#versions.delete(path);
      version.retire();
    }
  }

  /** Of what was read to its end the kernel has the pages, and the memory that small files share serves the next one. */
  #readAndKeep(path: VfsPath, version: Version, { sizeBytes, position }: Range): Awaitable<Uint8Array> {
    this.#keep(path, version);
    return after(version.read(sizeBytes, position), (bytes) => {
      if (bytes.byteLength < sizeBytes && this.#versions.get(path) === version) {
        this.#versions.delete(path);
        version.retire();
      }
      return bytes;
    });
  }

  #keep(path: VfsPath, version: Version): void {
    const before = this.#versions.get(path);
    if (before !== undefined && before !== version) before.retire();
    this.#versions.delete(path);
    this.#versions.set(path, version);
    const [oldest] = this.#versions;
    if (oldest && this.#versions.size > this.#maxFiles) {
      this.#versions.delete(oldest[0]);
      oldest[1].retire();
    }
  }
}
