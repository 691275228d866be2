import { isPromiseLike } from '../core/awaitable.ts';
import { below, type VfsPath } from '../core/paths.ts';
import type { Awaitable, OpContext, OpenFile } from '../core/resolver.ts';
import { Version } from './version.ts';

const MAX_FILES = 64;

/** Opens a path for the first read of it. */
export type FileOpener = (path: VfsPath, context: OpContext) => Awaitable<OpenFile>;

/**
 * Reads without handles, for a mount whose opens the kernel does not send: the file behind a path stays open for the next
 * reads until it changes or 64 others were read since.
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

  read(path: VfsPath, sizeBytes: number, position: number, context: OpContext): Awaitable<Uint8Array> {
    const version = this.#versions.get(path);
    if (version) {
      this.#keep(path, version);
      return version.read(sizeBytes, position);
    }
    const changesBefore = this.#changes;
    const file = this.#open(path, context);
    if (!isPromiseLike(file)) return this.#keep(path, new Version(file)).read(sizeBytes, position);
    return file.then(async (file) => {
      const version = new Version(file);
      if (this.#changes === changesBefore) this.#keep(path, version);
      const bytes = version.read(sizeBytes, position);
      if (this.#changes !== changesBefore) version.retire();
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

  #keep(path: VfsPath, version: Version): Version {
    const before = this.#versions.get(path);
    if (before !== undefined && before !== version) before.retire();
    this.#versions.delete(path);
    this.#versions.set(path, version);
    const [oldest] = this.#versions;
    if (oldest && this.#versions.size > this.#maxFiles) {
      this.#versions.delete(oldest[0]);
      oldest[1].retire();
    }
    return version;
  }
}
