import type { Changes, Space, WritableFile } from '../../src/core/changes.ts';
import { FsError } from '../../src/core/errors.ts';
import type { VfsPath } from '../../src/core/paths.ts';

/** The changes of a tree that lets nothing be changed, for subjects to build upon. */
export class RefusedChanges implements Changes<VfsPath> {
  openToWrite(path: VfsPath, ..._: unknown[]): WritableFile | PromiseLike<WritableFile> {
    return this.#refuse(path);
  }
  create(path: VfsPath): WritableFile {
    return this.#refuse(path);
  }
  truncate(path: VfsPath): void {
    this.#refuse(path);
  }
  makeFolder(path: VfsPath, ..._: unknown[]): void | PromiseLike<void> {
    this.#refuse(path);
  }
  removeFolder(path: VfsPath): void {
    this.#refuse(path);
  }
  remove(path: VfsPath): void | PromiseLike<void> {
    this.#refuse(path);
  }
  rename(from: VfsPath): void {
    this.#refuse(from);
  }
  link(_existing: VfsPath, path: VfsPath): void {
    this.#refuse(path);
  }
  symlink(_target: string, path: VfsPath): void {
    this.#refuse(path);
  }
  makeNode(path: VfsPath): void {
    this.#refuse(path);
  }
  changeMode(path: VfsPath): void {
    this.#refuse(path);
  }
  changeOwner(path: VfsPath): void {
    this.#refuse(path);
  }
  changeTimes(path: VfsPath): void {
    this.#refuse(path);
  }
  setAttribute(path: VfsPath): void {
    this.#refuse(path);
  }
  removeAttribute(path: VfsPath): void {
    this.#refuse(path);
  }
  syncFolder(): void {}
  space(_path: VfsPath): Space {
    return { totalBytes: 0, freeBytes: 0, totalFiles: 0, freeFiles: 0 };
  }

  #refuse(path: VfsPath): never {
    throw new FsError('EROFS', path, 'this tree is read-only');
  }
}
