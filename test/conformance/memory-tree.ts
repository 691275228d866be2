import { FsError } from '../../src/core/errors.ts';
import { fileInfo, folderInfo, linkInfo, msToNs } from '../../src/core/node-info.ts';
import { fileOfBytes } from '../../src/core/open-file.ts';
import {
  below,
  joinPath,
  parsePath,
  partsOf,
  ROOT,
  type SubPath,
  type VfsPath,
} from '../../src/core/paths.ts';
import type { DirEntry, NodeInfo, OpenFile, Resolver, Unsubscribe } from '../../src/core/resolver.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';

/** What can be put into a tree. Times are milliseconds since 1970. */
export type NewNode =
  | {
      readonly bytes: Uint8Array;
      readonly modifiedMs: number;
      readonly attributes?: Readonly<Record<string, string>>;
    }
  | { readonly target: string; readonly modifiedMs: number }
  | 'empty folder';

interface File {
  readonly kind: 'file';
  readonly bytes: Uint8Array;
  readonly info: NodeInfo;
  readonly attributes: ReadonlyMap<string, string>;
}
interface Link {
  readonly kind: 'link';
  readonly target: string;
  readonly info: NodeInfo;
}
interface Folder {
  readonly kind: 'directory';
  readonly info: NodeInfo;
  readonly children: Map<string, Node>;
}
type Node = File | Link | Folder;

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** A tree in memory that its owner can change and its readers cannot: a subject for tests. */
export class MemoryTree {
  readonly #root: Folder = newFolder();
  readonly #listeners = new Set<(changed: readonly VfsPath[]) => void>();

  /** Makes the folders on the way; replaces what is there. */
  put(path: string, node: NewNode): void {
    const { folder, name } = this.#folderFor(path);
    folder.children.set(name, newNode(node));
    this.#tell(path);
  }

  putText(path: string, text: string, modifiedMs: number): void {
    this.put(path, { bytes: Buffer.from(text), modifiedMs });
  }

  remove(path: string): void {
    const { folder, name } = this.#folderFor(path);
    folder.children.delete(name);
    this.#tell(path);
  }

  stat(path: VfsPath): NodeInfo {
    return this.#at(path).info;
  }

  list(path: VfsPath): DirEntry[] {
    const node = this.#at(path);
    if (node.kind !== 'directory') throw new FsError('ENOTDIR', path, 'this is not a folder');
    return [...node.children].map(([name, { kind }]) => ({ name, kind }));
  }

  open(path: VfsPath): OpenFile {
    const node = this.#at(path);
    if (node.kind === 'directory') throw new FsError('EISDIR', path, 'this is a folder');
    if (node.kind === 'link') throw new FsError('ELOOP', path, 'this is a link');
    return fileOfBytes(node.bytes);
  }

  readLink(path: VfsPath): string {
    const node = this.#at(path);
    if (node.kind !== 'link') throw new FsError('EINVAL', path, 'this is not a link');
    return node.target;
  }

  attributes(path: VfsPath): ReadonlyMap<string, string> {
    const node = this.#at(path);
    return node.kind === 'file' ? node.attributes : NO_ATTRIBUTES;
  }

  onChange(listener: (changed: readonly VfsPath[]) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The tree as whole namespaces are: served by a resolver. */
  asVfs(reportBug: (error: unknown) => void): SystemFs {
    return new SystemFs([{ point: ROOT, resolver: this.asResolver('tree') }], reportBug);
  }

  /** The same tree as a resolver, to be mounted in a namespace. */
  asResolver(name: string): Resolver {
    const whole = (path: SubPath): VfsPath => joinPath(ROOT, path);
    return {
      name,
      stat: (path) => this.stat(whole(path)),
      list: (path) => this.list(whole(path)),
      open: (path) => this.open(whole(path)),
      readLink: (path) => this.readLink(whole(path)),
      attributes: (path) => this.attributes(whole(path)),
      onChange: (listener) =>
        this.onChange((paths) => listener(paths.map((path) => below(path, ROOT) ?? ('' as SubPath)))),
    };
  }

  #at(path: VfsPath): Node {
    let node: Node = this.#root;
    for (const part of partsOf(path)) {
      if (node.kind !== 'directory') throw new FsError('ENOTDIR', path, 'a file has nothing in it');
      const child: Node | undefined = node.children.get(part);
      if (!child) throw new FsError('ENOENT', path, 'there is nothing with this name');
      node = child;
    }
    return node;
  }

  #folderFor(path: string): { folder: Folder; name: string } {
    const parts = partsOf(parsePath(path));
    const name = parts.pop();
    if (name === undefined) throw new Error('the root cannot be replaced');
    let folder = this.#root;
    for (const part of parts) {
      const child = folder.children.get(part) ?? newFolder();
      if (child.kind !== 'directory') throw new Error(`${path} leads through a file`);
      folder.children.set(part, child);
      folder = child;
    }
    return { folder, name };
  }

  #tell(path: string): void {
    for (const listener of this.#listeners) listener([parsePath(path)]);
  }
}

function newFolder(): Folder {
  return { kind: 'directory', info: folderInfo(0n), children: new Map() };
}

function newNode(node: NewNode): Node {
  if (node === 'empty folder') return newFolder();
  const modifiedNs = msToNs(node.modifiedMs);
  if ('target' in node) {
    return { kind: 'link', target: node.target, info: linkInfo(node.target, modifiedNs) };
  }
  return {
    kind: 'file',
    bytes: node.bytes,
    info: fileInfo(node.bytes.length, modifiedNs),
    attributes: new Map(Object.entries(node.attributes ?? {})),
  };
}
