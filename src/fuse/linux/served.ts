import { recover } from '../../core/awaitable.ts';
import { FsError, isFsError } from '../../core/errors.ts';
import { MAX_NAME_BYTES, type VfsPath } from '../../core/paths.ts';
import type { Awaitable, NodeInfo } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import type { MountOptions } from '../driver.ts';
import type { BackingFiles } from './backing-files.ts';
import { type Answer, Stale } from './handler.ts';
import type { Handles } from './handles.ts';
import type { Node, NodeTable } from './node-table.ts';
import type { Prefetcher } from './prefetcher.ts';
import { encodeEntry, type ToldNode } from './protocol/answer.ts';
import type { Request } from './protocol/request.ts';
import type { SentBack } from './sent-back.ts';

/** How long the kernel believes what it was told, unless a notice says that it changed: an hour. */
export const TRUST_SECONDS = 3600;

/** What opening a file fails with if the name that was looked up leads to something else by now. */
const ANOTHER_KIND: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']);

/** What the operations of a mount work on. */
export interface Served {
  readonly vfs: Vfs;
  readonly nodes: NodeTable;
  readonly handles: Handles;
  readonly options: MountOptions;
  readonly kernel: Kernel;
  readonly sentBack: SentBack;
  readonly prefetcher: Pick<Prefetcher, 'listed' | 'opened'>;
  readonly backings: Pick<BackingFiles, 'lend' | 'settle'>;
  /** As {@link Session.output}. */
  readonly output: () => Buffer;
  /** As {@link Session.keepOutput}. */
  readonly keepOutput: () => () => void;
  /** Grows with each change that the tree tells of. */
  readonly generation: () => number;
}

/** What the kernel can be told besides answers. */
export interface Kernel {
  /**
   * Gives the kernel the bytes of a file before it asks. This locks pages, so nobody may have the file open: a read would hold the lock of its page while
   * it waits for this thread.
   * @param fill reads the file into the buffer. If it returns a promise, nothing is given. @returns whether the kernel took all bytes
   */
  giveBytes(node: Node, sizeBytes: number, fill: (target: Uint8Array) => Awaitable<number>): boolean;
  /** To be called when somebody goes through the root of the mount: the kernel knows its attributes by now. */
  rootIsUsed(): void;
  /** Makes the kernel ask for a node's attributes again, from now on. Takes no lock, so it may be called while a request for the node is served. */
  invalidateAttributes(node: Node): void;
  /**
   * Makes the kernel ask for a file's attributes and pages again, from now on: whoever opens it next sees nothing of before. The kernel waits here for
   * pages that are being read, which only this thread could answer. So nobody may have the file open ({@link mayBeOpen}), and it may not be a link,
   * since links are read without being opened.
   */
  invalidateUnopened(node: Node): void;
  /** Makes the kernel ask for a live file's attributes and pages again, once no request waits for them. @param now what it is sure to read then, or something newer */
  invalidateBytes(node: Node, now: NodeInfo): void;
  /** Makes the kernel ask for a node's attributes, pages and names again, once no request waits for them. */
  invalidateSoon(node: Node): void;
  /** Makes the kernel ask for a name, there or missing, and for the folder around it again, once no request waits for them. */
  invalidatePlace(folder: Node, name: string): void;
  /** Makes the kernel list a folder again, even if a listing of it is being answered now. */
  invalidateListing(folder: Node): void;
}

/** @throws Stale for a node that the kernel has given back */
export function nodeOf({ nodes }: Served, id: number): Node {
  const node = nodes.get(id);
  if (node === undefined) throw new Stale();
  return node;
}

/** @throws Stale for a node that has no name any more */
export function pathOf({ nodes }: Served, node: Node): VfsPath {
  const path = nodes.pathOf(node);
  if (path === undefined) throw new Stale();
  return path;
}

/** Whether an error says that a name leads elsewhere, or nowhere, since it was looked up. */
export function isElsewhere(error: unknown): boolean {
  return error instanceof Stale || (isFsError(error) && ANOTHER_KIND.has(error.code));
}

/** @returns undefined where the tree refuses it */
export function orNothing<T>(ask: () => Awaitable<T>): Awaitable<T | undefined> {
  return recover<T, undefined>(ask, (error) => {
    if (isFsError(error)) return undefined;
    throw error;
  });
}

/** A name in a folder, as a request gives both. */
export interface NamedPlace {
  readonly folder: Node;
  readonly name: string;
  readonly path: VfsPath;
}

/** @throws FsError ENAMETOOLONG, EILSEQ for a name that none can have */
export function placeIn(served: Served, folderId: number, name: string): NamedPlace {
  const folder = nodeOf(served, folderId);
  const folderPath = pathOf(served, folder);
  // childOf would expect a name that has been checked already.
  const path = (folder === served.nodes.root ? `/${name}` : `${folderPath}/${name}`) as VfsPath;
  if (name.includes('\uFFFD')) throw new FsError('EILSEQ', path, 'names are UTF-8 text; these bytes are not');
  if (name.length > MAX_NAME_BYTES / 4 && Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw new FsError('ENAMETOOLONG', path, `a name is at most ${MAX_NAME_BYTES} bytes`);
  }
  return { folder, name, path };
}

export function placeOf(served: Served, { nodeId }: Request, name: string): NamedPlace {
  return placeIn(served, nodeId, name);
}

/**
 * The answer that gives the kernel a name with what it leads to. It counts as a look-up, unless the kernel does not take the answer.
 * @param generation the one from before the tree was asked: if something changed since, the kernel asks again at the next use
 */
export function entryOf(
  served: Served,
  { folder, name, path }: NamedPlace,
  info: NodeInfo,
  generation: number,
): Answer & { readonly node: Node; readonly told: ToldNode } {
  const node = served.nodes.enter(folder, name, info);
  node.lookUps += 1;
  const told = toldOf(served, node, path, generation, info);
  return {
    node,
    told,
    encode: (out) => encodeEntry(out, told, node.info),
    undo: () => served.nodes.forget(node.id, 1),
  };
}

/**
 * How long the kernel may believe what it is told about a node.
 * @param now the node as it is, of which `node.info` may hold back the size (see {@link tellable})
 */
export function toldOf(
  served: Served,
  node: Node,
  path: VfsPath,
  generation: number,
  now: NodeInfo,
): ToldNode {
  const isTrusted = generation === served.generation() && node.info.changesUntold !== true;
  const seconds = isTrusted ? TRUST_SECONDS : 0;
  // The kernel follows a link that it knows without asking. If the tree reports changes late, it must ask each time.
  const isFollowed = node.info.kind === 'link' && !served.vfs.tellsOfNew(path);
  return {
    nodeId: node.id,
    inode: node.inode,
    nameSeconds: isFollowed ? 0 : seconds,
    attributeSeconds: isToldInFull(served, node, now) ? seconds : 0,
  };
}

/** Whether somebody may have a file open. If opens are not seen, that can never be excluded. */
function mayBeOpen({ options }: Pick<Served, 'options'>, node: Node): boolean {
  return !options.seeOpens || node.openings > 0;
}

/**
 * Makes the kernel drop the bytes of a live file that is longer than it may be told. It does so at once if nobody has the file open; otherwise it is told
 * the full size when it next asks after that. @returns whether the kernel was told everything, and may believe it for a while
 */
export function isToldInFull(served: Pick<Served, 'kernel' | 'options'>, node: Node, now: NodeInfo): boolean {
  if (node.info.sizeBytes === now.sizeBytes) return true;
  const { kernel } = served;
  const isOpen = mayBeOpen(served, node);
  if (isOpen && node.invalidating > 0) {
    // Makes the kernel discard the size in this answer: it would clear the end of a page that was read after the notice.
    kernel.invalidateAttributes(node);
  } else if (isOpen) kernel.invalidateBytes(node, now);
  else {
    node.info = now;
    node.bytesAsOf = now;
    kernel.invalidateUnopened(node);
  }
  return false;
}
