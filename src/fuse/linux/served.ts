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

/** So long the kernel takes for true what it was told, unless it is told that it changed: an hour. */
export const TRUST_SECONDS = 3600;

/** What a name that was looked up before may lead to by now, instead of a file. */
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
  /** The buffer of the next answer, to be filled before that is encoded. */
  readonly output: () => Buffer;
  /** Leaves the output to who fills it later. @returns what is to be called when it is no longer used */
  readonly keepOutput: () => () => void;
  /** Grows with each change that the tree tells of. */
  readonly generation: () => number;
}

/** What the kernel is told besides answers. */
export interface Kernel {
  /**
   * Gives the kernel the bytes of a file ahead, so that it need not ask. This locks pages, so nobody may have the file open: a read of it
   * would wait for an answer with its page locked.
   * @param fill reads the file into the buffer. Bytes that come later are not given. @returns whether the kernel took all of it
   */
  giveBytes(node: Node, sizeBytes: number, fill: (target: Uint8Array) => Awaitable<number>): boolean;
  /** Somebody went through the root of the mount: its attributes are known to the kernel by now. */
  rootIsUsed(): void;
  /** Has attributes of a node asked for again, at once: also while a request for it is served, since it takes no lock. */
  forgetAttributes(node: Node): void;
  /**
   * Has attributes and pages of a file asked for again, at once. It waits for pages that are being read, which only this thread could answer: nobody may
   * have the file open ({@link mayBeOpen}), and it may be no link, which is read without being opened. Who opens it after this sees nothing of before.
   */
  forgetUnopened(node: Node): void;
  /** Has attributes and pages of a live file asked for again, once no request waits for them; what is read then is at least of now. */
  forgetBytes(node: Node, now: NodeInfo): void;
  /** Has a node's attributes and pages, and its names, asked for again, once no request waits for them. */
  forgetSoon(node: Node): void;
  /** Has a name, there or missing, and the folder around it asked for again, once no request waits for them. */
  forgetPlace(folder: Node, name: string): void;
  /** Has the names of a folder listed again, also those that are being answered. */
  forgetListing(folder: Node): void;
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

/** Whether a name leads to something else by now than was looked up, or to nothing. */
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
  // As childOf, which expects a name that has been looked at.
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
 * A name with what it leads to, given to the kernel: a look-up more, unless it does not take the answer.
 * @param generation of before the tree was asked: what changed since is asked for again at the next use
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
 * What the kernel may trust of a node that it is given under a path.
 * @param now the node as it is, of which not all may have been told
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
  // The kernel follows a link that it knows without asking, so where the tree tells later than things happen it has to ask for the link.
  const isFollowed = node.info.kind === 'link' && !served.vfs.tellsOfNew(path);
  return {
    nodeId: node.id,
    inode: node.inode,
    nameSeconds: isFollowed ? 0 : seconds,
    attributeSeconds: isToldInFull(served, node, now) ? seconds : 0,
  };
}

/** Whether somebody may have a file open: where opens are not seen, that is never known. */
function mayBeOpen({ options }: Pick<Served, 'options'>, node: Node): boolean {
  return !options.seeOpens || node.openings > 0;
}

/**
 * Where a live file has become longer than may be told, the kernel lets go of its bytes: at once where nobody has it open, and else it is told of the
 * rest when it asks after that. @returns whether the kernel may trust what it is told
 */
export function isToldInFull(served: Pick<Served, 'kernel' | 'options'>, node: Node, now: NodeInfo): boolean {
  if (node.info.sizeBytes === now.sizeBytes) return true;
  const { kernel } = served;
  const isOpen = mayBeOpen(served, node);
  if (isOpen && node.forgetting > 0) {
    // A size that is given up by the kernel with the answer: taken over, it would have the end of a page cleared that was read behind the notice.
    kernel.forgetAttributes(node);
  } else if (isOpen) kernel.forgetBytes(node, now);
  else {
    node.info = now;
    node.bytesAsOf = now;
    kernel.forgetUnopened(node);
  }
  return false;
}
