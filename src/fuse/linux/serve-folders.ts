import { after, isPromiseLike, recover } from '../../core/awaitable.ts';
import { isFsError } from '../../core/errors.ts';
import { childOf, type VfsPath } from '../../core/paths.ts';
import type { Awaitable, DirEntry, NodeInfo, OpContext } from '../../core/resolver.ts';
import type { BugReporter } from '../errno.ts';
import { type Answer, DONE, type Handlers } from './handler.ts';
import type { OpenedFolder } from './handles.ts';
import { inodeOf } from './inode-number.ts';
import { canBeListed, noteListed } from './listing.ts';
import { type Node, ROOT_ID } from './node-table.ts';
import { encodeOpen, FOPEN, type ListedName, ListingEncoder } from './protocol/answer.ts';
import { decodeHandle, decodeRead, type Request } from './protocol/request.ts';
import { nodeOf, pathOf, type Served, toldOf } from './served.ts';

/** FUSE_UNKNOWN_INO: a listing that does not say. */
const UNKNOWN_INODE = 0xff_ff_ff_ff;
/** `.` and `..` stand before the names. */
const DOTS = 2;

/** Listing folders. The kernel keeps listings until it is told that one changed. */
export function serveFolders(served: Served, report: BugReporter): Handlers {
  const { vfs, nodes, handles } = served;

  function list(request: Request, context: OpContext, plus: boolean): Awaitable<Answer> {
    const { handle, position, sizeBytes } = decodeRead(request);
    const opened = handles.folder(handle);
    return after(entriesOf(opened, position, context), (entries) => {
      const given: Node[] = [];
      return {
        encode(out) {
          const encoder = new ListingEncoder(out, sizeBytes);
          for (let index = position; index < entries.length + DOTS; index += 1) {
            const listed = listedAt(opened.node, entries, index);
            if (listed === undefined) continue;
            if (!encoder.fits(listed.name, plus)) break;
            if (plus) addWithEntry(encoder, opened.node, listed, entries[index - DOTS]?.name, context, given);
            else encoder.add(listed);
          }
          return encoder.payloadBytes;
        },
        undo() {
          for (const node of given) served.nodes.forget(node.id, 1);
        },
      };
    });
  }

  /** As they were when the listing began. */
  function entriesOf(
    opened: OpenedFolder,
    position: number,
    context: OpContext,
  ): Awaitable<readonly DirEntry[]> {
    if (opened.entries !== undefined && position > 0) return opened.entries;
    return after(vfs.list(pathOf(served, opened.node), context), (entries) => {
      opened.entries = entries.filter(({ name }) => {
        if (canBeListed(name)) return true;
        report(new Error(`a name that no file can have: ${JSON.stringify(name)}`), 'readdir');
        return false;
      });
      noteListed(opened.node, opened.entries);
      return opened.entries;
    });
  }

  function listedAt(folder: Node, entries: readonly DirEntry[], index: number): ListedName | undefined {
    if (index < DOTS) {
      const parent = folder.place?.folder ?? folder;
      const inode = index === 0 ? folder.inode : parent.inode;
      return { name: index === 0 ? DOT : DOT_DOT, kind: 'directory', inode, nextOffset: index + 1 };
    }
    const entry = entries[index - DOTS];
    if (entry === undefined) return undefined;
    const { name, kind } = entry;
    const inode =
      folder.children?.get(name)?.inode ??
      (folder.info.inode === undefined ? inodeOf(folder.inode, name, {}) : UNKNOWN_INODE);
    return { name: Buffer.from(name), kind, inode, nextOffset: index + 1 };
  }

  /** What is not known at once, or has gone meanwhile, the kernel looks up when it needs it. */
  function addWithEntry(
    encoder: ListingEncoder,
    folder: Node,
    listed: ListedName,
    name: string | undefined,
    context: OpContext,
    given: Node[],
  ): void {
    const generation = served.generation();
    const path = name === undefined ? undefined : childOf(pathOf(served, folder), name);
    const info = path && infoNow(path, context);
    if (name === undefined || path === undefined || info === undefined) {
      encoder.addWithoutEntry(listed);
      return;
    }
    const node = served.nodes.enter(folder, name, info);
    node.lookUps += 1;
    given.push(node);
    encoder.addWithEntry({ ...listed, inode: node.inode }, toldOf(served, node, path, generation), info);
  }

  function infoNow(path: VfsPath, context: OpContext): NodeInfo | undefined {
    const info = recover<NodeInfo, undefined>(
      () => vfs.stat(path, context),
      (error) => {
        if (isFsError(error)) return undefined;
        throw error;
      },
    );
    if (!isPromiseLike(info)) return info;
    // Its failure will be the look-up's.
    Promise.resolve(info).catch(() => undefined);
    return undefined;
  }

  return {
    opendir(request) {
      if (request.nodeId === ROOT_ID) served.kernel.rootIsUsed();
      const handle = handles.addFolder(nodeOf(served, request.nodeId));
      return {
        encode: (out) => encodeOpen(out, handle, FOPEN.keepCache | FOPEN.cacheDirectory),
        undo: () => handles.releaseFolder(handle),
      };
    },
    readdir: (request, context) => list(request, context, false),
    readdirplus: (request, context) => list(request, context, true),
    releasedir(request) {
      handles.releaseFolder(decodeHandle(request));
      return DONE;
    },
    fsyncdir(request, context) {
      const path = nodes.pathOf(nodeOf(served, request.nodeId));
      // Of a removed one there is nothing to keep.
      if (path === undefined) return DONE;
      return after(vfs.syncFolder(path, context), () => DONE);
    },
  };
}

const DOT = Buffer.from('.');
const DOT_DOT = Buffer.from('..');
