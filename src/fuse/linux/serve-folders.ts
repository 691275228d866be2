import { constants } from 'node:os';
import { after, isPromiseLike } from '../../core/awaitable.ts';
import { childOf } from '../../core/paths.ts';
import type { Awaitable, DirEntry, OpContext } from '../../core/resolver.ts';
import type { BugReporter } from '../errno.ts';
import { canBeListed } from '../listed-names.ts';
import { type Answer, DONE, type Handlers, Refusal } from './handler.ts';
import { noteBeingListed, noteListed } from './listing.ts';
import { DOTS, entriesBefore, type Listing, Listings, offsetBehind } from './listings.ts';
import { type Node, ROOT_ID } from './node-table.ts';
import { type ListedName, ListingEncoder } from './protocol/listing-encoder.ts';
import { decodeRead, type Request } from './protocol/request.ts';
import { nodeOf, pathOf, type Served, toldOf } from './served.ts';

/** FUSE_UNKNOWN_INO: the listing leaves the inode number open. */
const UNKNOWN_INODE = 0xff_ff_ff_ff;

/** What the operations on folders work on. */
interface Folders {
  readonly served: Served;
  readonly listings: Listings;
  readonly report: BugReporter;
}

/**
 * Listing folders. The kernel opens and closes folders by itself (FUSE_NO_OPENDIR_SUPPORT, Linux 5.1) and keeps each listing until it is told of a
 * change, so walking through folders that it knows costs no request.
 */
export function serveFolders(served: Served, report: BugReporter): Handlers {
  const folders: Folders = { served, listings: new Listings(), report };
  return {
    opendir(): never {
      throw new Refusal(constants.errno.ENOSYS);
    },
    readdir: (request, context) => list(folders, request, context, { plus: false }),
    readdirplus: (request, context) => list(folders, request, context, { plus: true }),
    fsyncdir(request, context) {
      const path = served.nodes.pathOf(nodeOf(served, request.nodeId));
      // A removed folder has nothing left to be kept.
      if (path === undefined) return DONE;
      return after(served.vfs.syncFolder(path, context), () => DONE);
    },
  };
}

/** @param plus whether each name comes with what it leads to */
function list(
  folders: Folders,
  request: Request,
  context: OpContext,
  { plus }: { readonly plus: boolean },
): Awaitable<Answer> {
  const { served, listings } = folders;
  const { position, sizeBytes } = decodeRead(request);
  if (request.nodeId === ROOT_ID) served.kernel.rootIsUsed();
  const folder = nodeOf(served, request.nodeId);
  return after(listingOf(folders, folder, position, context), (listing) => {
    const given: Node[] = [];
    return {
      encode(out) {
        const encoder = new ListingEncoder(out, sizeBytes);
        const piece: Piece = { encoder, folder, listed: reserved(encoder, listing, position, plus) };
        // Behind the last name it makes no difference whether the folder is still there.
        if (piece.listed.length === 0) listings.ended(folder);
        else if (plus) addWithEntries(served, piece, context, given);
        else addNames(served, piece, listing.entries);
        return encoder.payloadBytes;
      },
      undo() {
        for (const node of given) served.nodes.forget(node.id, 1);
      },
    };
  });
}

/** The listing that is under way; from the beginning on, or where none is kept, the names as they are now. */
function listingOf(
  { served, listings, report }: Folders,
  folder: Node,
  position: number,
  context: OpContext,
): Awaitable<Listing> {
  const begun = position > 0 ? listings.at(folder) : undefined;
  if (begun !== undefined) return begun;
  const asked = listings.ask();
  const names = served.vfs.list(pathOf(served, folder), context);
  if (isPromiseLike(names)) noteBeingListed(folder);
  return after(names, (all) => {
    const entries = all.filter(({ name }) => {
      if (canBeListed(name)) return true;
      report(new Error(`a name that no file can have: ${JSON.stringify(name)}`), 'readdir');
      return false;
    });
    const listing = listings.begin(folder, entries, noteListed(folder, entries), asked);
    // Otherwise the kernel would keep the names that it has, and the same ones a second time.
    if (position > DOTS && position <= listing.base) served.kernel.invalidateListing(folder);
    return listing;
  });
}

/** A part of a folder's listing, as long as the answer that it is written into has room. */
interface Piece {
  readonly encoder: ListingEncoder;
  readonly folder: Node;
  /** The names, with room reserved for each. */
  readonly listed: readonly Listed[];
}

/** The names from a position on, as many as there is room for; the room is reserved for them. */
function reserved(encoder: ListingEncoder, listing: Listing, position: number, plus: boolean): Listed[] {
  const begin = position < DOTS ? position : DOTS + entriesBefore(listing, position);
  const end = DOTS + listing.entries.length;
  const listed: Listed[] = [];
  for (let index = begin; index < end; index += 1) {
    const one = listedAt(listing, index);
    if (!encoder.reserve(one.name, plus)) break;
    listed.push(one);
  }
  return listed;
}

/** Adds names alone. @param entries those of the whole folder */
function addNames(served: Served, { encoder, folder, listed }: Piece, entries: readonly DirEntry[]): void {
  const order = served.prefetcher.listed(folder, entries);
  for (const one of listed) {
    const inode = inodeIn(served, folder, one);
    encoder.add(one, inode);
    if (one.entry !== undefined) order.told(one.index - DOTS, inode);
  }
}

/**
 * Adds names with what each of them leads to. Where that is not known at once, or is gone by now, the kernel looks the name up when it needs it.
 * @param given takes each node as it is added, so that all can be taken back if the answer fails half-way
 */
function addWithEntries(
  served: Served,
  { encoder, folder, listed }: Piece,
  context: OpContext,
  given: Node[],
): void {
  const generation = served.generation();
  const path = pathOf(served, folder);
  const names = listed.flatMap(({ entry }) => entry?.name ?? []);
  const infos = served.vfs.statNames(path, names, context).values();
  for (const one of listed) {
    const name = one.entry?.name;
    const info = name === undefined ? undefined : infos.next().value;
    if (name === undefined || info === undefined) {
      encoder.addWithoutEntry(one, inodeIn(served, folder, one));
      continue;
    }
    const node = served.nodes.enter(folder, name, info);
    node.lookUps += 1;
    given.push(node);
    encoder.addWithEntry(one, toldOf(served, node, childOf(path, name), generation, info), node.info);
  }
}

function inodeIn({ nodes }: Served, folder: Node, { entry, index }: Listed): number {
  if (entry === undefined) return (index === 0 ? folder : (folder.place?.folder ?? folder)).inode;
  const known = folder.children?.get(entry.name);
  if (known !== undefined) return known.inode;
  return folder.info.inode === undefined
    ? nodes.newInode(folder, entry.name, { kind: entry.kind })
    : UNKNOWN_INODE;
}

/** A name with its entry, unless it is `.` or `..`. */
interface Listed extends ListedName {
  readonly entry: DirEntry | undefined;
  /** Counted from 0, with `.` and `..` as the first two. */
  readonly index: number;
}

/** @param index below as many as there are */
function listedAt(listing: Listing, index: number): Listed {
  const entry = listing.entries[index - DOTS];
  if (entry === undefined) {
    const name = Buffer.from(index === 0 ? '.' : '..');
    return { name, kind: 'directory', index, nextOffset: index + 1, entry };
  }
  const nextOffset = offsetBehind(listing, index - DOTS);
  return { name: Buffer.from(entry.name), kind: entry.kind, index, nextOffset, entry };
}
