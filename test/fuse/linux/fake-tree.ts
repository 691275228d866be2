import { FsError } from '../../../src/core/errors.ts';
import { fileInfo, folderInfo } from '../../../src/core/node-info.ts';
import { below, parentOf, parsePath, ROOT, type VfsPath } from '../../../src/core/paths.ts';
import type { Awaitable, DirEntry, NodeInfo, OpContext, OpenFile } from '../../../src/core/resolver.ts';
import { orMissing, statOneByOne } from '../../../src/vfs/stat-names.ts';
import type { Vfs } from '../../../src/vfs/vfs.ts';
import { RefusedChanges } from '../../conformance/refused-changes.ts';

/** A tree that is what a test says it is. */
export class FakeTree extends RefusedChanges implements Vfs {
  readonly #infos = new Map<VfsPath, NodeInfo>([[ROOT, folderInfo(0n)]]);
  /** Called before each answer of `stat`, which waits for it. */
  beforeStat: ((path: VfsPath) => Awaitable<void>) | undefined;
  stats = 0;
  readonly readsNoted: VfsPath[] = [];

  put(path: string, info: NodeInfo): void {
    this.#infos.set(parsePath(path), info);
  }

  /** A live file. @param changes how often it changed, which its time follows */
  putFile(path: string, changes: number, more: Partial<NodeInfo> = {}): void {
    this.put(path, { ...fileInfo(10, BigInt(changes)), ...more });
  }

  putFolder(path: string, changes: number, more: Partial<NodeInfo> = {}): void {
    this.put(path, { ...folderInfo(BigInt(changes)), ...more });
  }

  /** With all below it. */
  take(path: string): void {
    for (const known of [...this.#infos.keys()]) {
      if (below(known, parsePath(path)) !== undefined) this.#infos.delete(known);
    }
  }

  stat(path: VfsPath): Awaitable<NodeInfo> {
    this.stats += 1;
    const before = this.beforeStat?.(path);
    return before === undefined ? this.#infoOf(path) : Promise.resolve(before).then(() => this.#infoOf(path));
  }

  find(path: VfsPath): Awaitable<NodeInfo | undefined> {
    return orMissing(() => this.stat(path));
  }

  statNames(folder: VfsPath, names: readonly string[], context: OpContext): (NodeInfo | undefined)[] {
    return statOneByOne(this, folder, names, context);
  }

  list(folder: VfsPath): Awaitable<readonly DirEntry[]> {
    return this.listNow(folder);
  }

  listNow(folder: VfsPath): readonly DirEntry[] {
    return [...this.#infos]
      .filter(([path]) => path !== ROOT && parentOf(path) === folder)
      .map(([path, { kind }]) => ({ name: path.slice(path.lastIndexOf('/') + 1), kind }));
  }

  open(path: VfsPath): Awaitable<OpenFile> {
    this.noteRead(path);
    return this.openUnnoted(path);
  }

  openUnnoted(path: VfsPath): Awaitable<OpenFile> {
    const { sizeBytes } = this.#infoOf(path);
    return { sizeBytes, read: () => 0, close() {} };
  }

  noteRead(path: VfsPath): void {
    this.readsNoted.push(path);
  }

  openAhead(_path: VfsPath): OpenFile | undefined {
    return undefined;
  }

  readLink(path: VfsPath): string {
    throw new FsError('EINVAL', path, 'this is not a link');
  }

  attributes(): ReadonlyMap<string, string> {
    return new Map();
  }

  tellsOfNew(): boolean {
    return true;
  }

  onChange(): () => void {
    return () => {};
  }

  #infoOf(path: VfsPath): NodeInfo {
    const info = this.#infos.get(path);
    if (info === undefined) throw new FsError('ENOENT', path, 'there is nothing with this name');
    return info;
  }
}
