import { constants } from 'node:fs';
import type { WritableFile } from '../../../src/core/changes.ts';
import { fileInfo } from '../../../src/core/node-info.ts';
import type { VfsPath } from '../../../src/core/paths.ts';
import type { Awaitable, NodeInfo, OpenFile } from '../../../src/core/resolver.ts';
import { Stale } from '../../../src/fuse/linux/handler.ts';
import type { Node } from '../../../src/fuse/linux/node-table.ts';
import { FakeServed, nameBytes, words } from './fake-served.ts';
import { FakeTree } from './fake-tree.ts';

const { O_RDONLY } = constants;
export const KEEP_CACHE = 2;
export const DIRECT_IO = 1;
export const NO_FLUSH = 32;
export const PASS_THROUGH = 128;

/** A live file that a test changes, and that says what is done with it. */
export class LiveFile implements WritableFile {
  readonly did: string[] = [];
  info: NodeInfo;
  needsNoFlush = false;
  descriptor: number | undefined;
  /** What `copyFrom` waits for. */
  copying: PromiseLike<number> | undefined;

  constructor(info: NodeInfo) {
    this.info = info;
  }

  get sizeBytes(): number {
    return this.info.sizeBytes;
  }

  stat(): NodeInfo {
    return this.info;
  }

  read(): number {
    return 0;
  }

  write(bytes: Uint8Array): number {
    this.did.push('write');
    return bytes.length;
  }

  truncate(sizeBytes: number): void {
    this.did.push(`truncate ${sizeBytes}`);
  }

  flush(): void {
    this.did.push('flush');
  }

  sync(): void {}

  copyFrom(): Awaitable<number> {
    return this.copying ?? 0;
  }

  close(): void {
    this.did.push('close');
  }
}

export class OpenableTree extends FakeTree {
  readonly files = new Map<string, () => Awaitable<OpenFile>>();

  /** What is opened to be written. */
  written: WritableFile | undefined;
  /** What is made. */
  created: WritableFile | undefined;

  override openUnnoted(path: VfsPath): Awaitable<OpenFile> {
    return this.files.get(path)?.() ?? super.openUnnoted(path);
  }

  override openToWrite(path: VfsPath): Awaitable<WritableFile> {
    return this.written ?? super.openToWrite(path);
  }

  override create(path: VfsPath): WritableFile {
    return this.created ?? super.create(path);
  }
}

export const FLAGS_AT = 8;

export interface Opened {
  readonly handle: number;
  /** `FOPEN_…` */
  readonly flags: number;
}

/** One OPEN. */
export async function openOnce(served: FakeServed, node: Node, flags = O_RDONLY): Promise<Opened> {
  const opened = await served.answer('open', node, words(flags));
  return { handle: Number(opened.readBigUInt64LE(0)), flags: opened.readUInt32LE(FLAGS_AT) };
}

/** As the kernel opens by a descriptor in /proc: once more where it is sent back, which finds the same node again. */
export async function open(served: FakeServed, node: Node, flags = O_RDONLY): Promise<Opened> {
  try {
    return await openOnce(served, node, flags);
  } catch (error) {
    if (error instanceof Stale) return openOnce(served, node, flags);
    throw error;
  }
}

/** Whether the kernel goes on with the pages that it has. */
export function keepsPages(served: FakeServed, { flags }: Opened): boolean {
  const isForgotten = served.notices.splice(0).some((notice) => notice.startsWith('invalidate all at once'));
  return (flags & KEEP_CACHE) !== 0 && !isForgotten;
}

export async function release(served: FakeServed, node: Node, handle: number): Promise<void> {
  await served.ask('release', node, words(handle, 0, 0));
}

export function subject(info: NodeInfo = fileInfo(10, 1n)): {
  served: FakeServed;
  tree: OpenableTree;
  node: Node;
  file: LiveFile;
} {
  const tree = new OpenableTree();
  tree.put('/a', info);
  const served = new FakeServed(tree);
  const node = served.known(served.nodes.root, 'a', info);
  const file = new LiveFile(info);
  tree.files.set('/a', () => file);
  return { served, tree, node, file };
}

/** A version of `/a`. @param more what else is said of it */
export const versionOf = (version: string, sizeBytes: number, more: Partial<NodeInfo> = {}): NodeInfo => ({
  ...fileInfo(sizeBytes, 1n),
  version,
  ...more,
});

/** @param read is told what is read */
export function put(tree: OpenableTree, info: NodeInfo, read: (version: string) => void = () => {}): void {
  const { version = '', sizeBytes } = info;
  tree.put('/a', info);
  tree.files.set('/a', () => ({
    sizeBytes,
    version,
    read() {
      read(version);
      return 0;
    },
    close() {},
  }));
}

/** Looks a name of the root up. */
export async function found(served: FakeServed, name = 'a'): Promise<Node> {
  const { root } = served.nodes;
  await served.ask('lookup', root, nameBytes(name));
  const node = root.children?.get(name);
  if (node === undefined) throw new Error('nothing was found');
  return node;
}
