import { after } from '../../core/awaitable.ts';
import { childOf } from '../../core/paths.ts';
import type { Awaitable, DirEntry, OpContext } from '../../core/resolver.ts';
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
  const { vfs, nodes, handles, prefetcher } = served;

  function list(request: Request, context: OpContext, plus: boolean): Awaitable<Answer> {
    const { handle, position, sizeBytes } = decodeRead(request);
    const opened = handles.folder(handle);
    return after(entriesOf(opened, position, context), (entries) => {
      const given: Node[] = [];
      return {
        encode(out) {
          const encoder = new ListingEncoder(out, sizeBytes);
          const listed: Listed[] = [];
          for (let index = position; index < entries.length + DOTS; index += 1) {
            const one = listedAt(entries, index);
            if (!encoder.reserve(one.name, plus)) break;
            listed.push(one);
          }
          // At its end a folder may as well be gone.
          if (listed.length === 0) return 0;
          if (plus) addWithEntries(encoder, opened.node, listed, context, given);
          else {
            const listing = prefetcher.listed(opened.node, entries);
            for (const one of listed) {
              const inode = inodeIn(opened.node, one);
              encoder.add(one, inode);
              if (one.entry !== undefined) listing.told(one.nextOffset - DOTS - 1, inode);
            }
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

  function inodeIn(folder: Node, { entry, nextOffset }: Listed): number {
    if (entry === undefined) return (nextOffset === 1 ? folder : (folder.place?.folder ?? folder)).inode;
    const known = folder.children?.get(entry.name);
    if (known !== undefined) return known.inode;
    return folder.info.inode === undefined ? inodeOf(folder.inode, entry.name, {}) : UNKNOWN_INODE;
  }

  /** What is not known at once, or has gone meanwhile, the kernel looks up when it needs it. */
  function addWithEntries(
    encoder: ListingEncoder,
    folder: Node,
    listed: readonly Listed[],
    context: OpContext,
    given: Node[],
  ): void {
    const generation = served.generation();
    const path = pathOf(served, folder);
    const names = listed.flatMap(({ entry }) => entry?.name ?? []);
    const infos = vfs.statNames(path, names, context).values();
    for (const one of listed) {
      const name = one.entry?.name;
      const info = name === undefined ? undefined : infos.next().value;
      if (name === undefined || info === undefined) {
        encoder.addWithoutEntry(one, inodeIn(folder, one));
        continue;
      }
      const node = nodes.enter(folder, name, info);
      node.lookUps += 1;
      given.push(node);
      encoder.addWithEntry(one, toldOf(served, node, childOf(path, name), generation, info), node.info);
    }
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

/** A name with its entry, unless it is `.` or `..`. */
interface Listed extends ListedName {
  readonly entry: DirEntry | undefined;
}

const DOT: Listed = { name: Buffer.from('.'), kind: 'directory', nextOffset: 1, entry: undefined };
const DOT_DOT: Listed = { name: Buffer.from('..'), kind: 'directory', nextOffset: DOTS, entry: undefined };

/** @param index from 0 on, below as many as there are */
function listedAt(entries: readonly DirEntry[], index: number): Listed {
  const entry = entries[index - DOTS];
  if (entry === undefined) return index === 0 ? DOT : DOT_DOT;
  return { name: Buffer.from(entry.name), kind: entry.kind, nextOffset: index + 1, entry };
}
