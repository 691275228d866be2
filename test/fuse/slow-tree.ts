import { setTimeout as delay } from 'node:timers/promises';
import { partsOf, type VfsPath } from '../../src/core/paths.ts';
import type { Awaitable, DirEntry, NodeInfo, OpContext, OpenFile } from '../../src/core/resolver.ts';
import { orMissing, statOneByOne, thereNow } from '../../src/vfs/stat-names.ts';
import type { Vfs } from '../../src/vfs/vfs.ts';
import type { MemoryTree } from '../conformance/memory-tree.ts';
import { RefusedChanges } from '../conformance/refused-changes.ts';

/** How long what is slow takes: long enough to be seen under way on a machine that is busy. */
const SLOW_MS = 1500;
/** Longer than any test. */
const LONG_MS = 600_000;

/**
 * A tree of files that have versions, where some operations take their time, by the last name of the path: one that begins with
 * `look` is looked up slowly, with `read` read slowly (and is live), with `remove` removed slowly; `never` is never answered, and one that ends
 * with `long` hardly ever.
 */
export class SlowTree extends RefusedChanges implements Vfs {
  readonly #tree: MemoryTree;

  constructor(tree: MemoryTree) {
    super();
    this.#tree = tree;
  }

  stat(path: VfsPath): Awaitable<NodeInfo> {
    if (lastOf(path) === 'never') return new Promise(() => {});
    return slowly('look', path, () => this.#infoOf(path));
  }

  find(path: VfsPath): Awaitable<NodeInfo | undefined> {
    return orMissing(() => this.stat(path));
  }

  statNames(folder: VfsPath, names: readonly string[], context: OpContext): (NodeInfo | undefined)[] {
    return statOneByOne(this, folder, names, context);
  }

  list(path: VfsPath): readonly DirEntry[] {
    return this.#tree.list(path);
  }

  open(path: VfsPath): OpenFile {
    const { version } = this.#infoOf(path);
    const file = this.#tree.open(path);
    return {
      sizeBytes: file.sizeBytes,
      ...(version === undefined ? { stat: () => this.#infoOf(path) } : { version }),
      read: (target, position) =>
        slowly('read', path, () =>
          (version === undefined ? this.#tree.open(path) : file).read(target, position),
        ),
      close: () => file.close(),
    };
  }

  openUnnoted(path: VfsPath): OpenFile {
    return this.open(path);
  }

  noteRead(): void {}

  openAhead(path: VfsPath): OpenFile | undefined {
    return lastOf(path).startsWith('read') ? undefined : thereNow(() => this.open(path));
  }

  readLink(path: VfsPath): string {
    return this.#tree.readLink(path);
  }

  attributes(): ReadonlyMap<string, string> {
    return new Map();
  }

  override remove(path: VfsPath): Awaitable<void> {
    return slowly('remove', path, () => this.#tree.remove(path));
  }

  tellsOfNew(): boolean {
    return true;
  }

  onChange(): () => void {
    return () => {};
  }

  #infoOf(path: VfsPath): NodeInfo {
    const info = this.#tree.stat(path);
    const hasVersions = info.kind === 'file' && !lastOf(path).startsWith('read');
    return hasVersions ? { ...info, version: String(info.modifiedNs) } : info;
  }
}

function lastOf(path: VfsPath): string {
  return partsOf(path).at(-1) ?? '';
}

/** Slow operations that were begun, with their paths: `read /docs/read-long`. */
export const begun: string[] = [];

function slowly<T>(operation: string, path: VfsPath, action: () => Awaitable<T>): Awaitable<T> {
  const name = lastOf(path);
  if (!name.startsWith(operation)) return action();
  begun.push(`${operation} ${path}`);
  return delay(name.endsWith('long') ? LONG_MS : SLOW_MS).then(action);
}
