import { childOf } from '../../core/paths.ts';
import type { DirEntry } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import { MAX_GIVEN_BYTES } from './kernel-notices.ts';
import type { Node, NodeTable, Place } from './node-table.ts';
import { readingOrder } from './reading-order.ts';
import type { Kernel } from './served.ts';

/** So many names may lie between two files that somebody reads in a row: others read them too, or only some of them are of interest. */
const MAX_SKIPPED = 16;
/** Programs that read with several threads read several folders at once. */
const MAX_ROWS = 8;
/** So many names of a folder are looked through for where somebody begins. */
const MAX_SOUGHT = 32;

/**
 * Has the file ready that is probably opened next, while who opened the one before reads it: who reads a folder's files reads them in a known
 * order. Where the kernel knows the file it is given the bytes; else the tree makes them. What is opened is compared with what
 * the tree has then, as ever, so nothing is read that is older than its opening.
 */
export class GivenAhead {
  readonly #vfs: Pick<Vfs, 'openAhead'>;
  readonly #nodes: Pick<NodeTable, 'pathOf'>;
  readonly #kernel: Pick<Kernel, 'giveBytes'>;
  /** By folder, the one that was begun last behind the others. */
  readonly #rows = new Map<Node, Row>();
  #listing: Listing | undefined;
  #opened: Place | undefined;
  /** What comes next in its row, if it was the one that had to come. */
  #next: string | undefined;

  constructor(
    vfs: Pick<Vfs, 'openAhead'>,
    nodes: Pick<NodeTable, 'pathOf'>,
    kernel: Pick<Kernel, 'giveBytes'>,
  ) {
    this.#vfs = vfs;
    this.#nodes = nodes;
    this.#kernel = kernel;
  }

  /** Notes that the kernel was listed names without being told what they are. */
  listed(folder: Node, entries: readonly DirEntry[]): void {
    if (this.#listing?.folder === folder && this.#listing.entries.deref() === entries) return;
    this.#listing = { folder, entries: new WeakRef(entries), isRead: false };
  }

  /** Notes that a file was opened to be read. */
  opened({ place }: Node): void {
    const row = place && this.#rows.get(place.folder);
    this.#opened = place;
    this.#next = place !== undefined && row?.next === place.name ? this.#goOn(row, place.folder) : undefined;
  }

  /** To be called while nobody asks for anything. @returns whether a file was opened since the last time, which alone gives it something to do */
  prepareNext(): boolean {
    const place = this.#opened;
    if (place === undefined) return false;
    this.#opened = undefined;
    const next = this.#next ?? this.#nextOfStray(place.folder, place.name);
    if (next !== undefined) this.#prepare(place.folder, next);
    return true;
  }

  #goOn(row: Row, folder: Node): string | undefined {
    row.next = nextFile(folder, row.rest);
    if (row.next === undefined) this.#rows.delete(folder);
    return row.next;
  }

  /** @returns undefined where it is the only one of its folder so far, unless it is the first */
  #nextOfStray(folder: Node, name: string): string | undefined {
    const row = this.#rows.get(folder);
    const isFurtherOn = row !== undefined && isAmong(row.rest, name, MAX_SKIPPED);
    return isFurtherOn ? this.#goOn(row, folder) : this.#begin(folder, name);
  }

  #begin(folder: Node, name: string): string | undefined {
    this.#rows.delete(folder);
    const row = rowFrom(folder, name, this.#namesOf(folder));
    if (row?.next === undefined) return undefined;
    const [oldest] = this.#rows.keys();
    if (oldest !== undefined && this.#rows.size === MAX_ROWS) this.#rows.delete(oldest);
    this.#rows.set(folder, row);
    return row.isFromFirst ? row.next : undefined;
  }

  /** In the order in which they are read. To find it out takes its time where they are many, and is not done for one file. */
  #namesOf(folder: Node): Iterator<string> {
    const listing = this.#listing?.folder === folder ? this.#listing : undefined;
    const entries = listing?.entries.deref();
    if (listing === undefined || entries === undefined) return (folder.children ?? new Map()).keys();
    const order = listing.isRead ? readingOrder(folder, entries) : [];
    if (listing.isRead) this.#listing = undefined;
    listing.isRead = true;
    return order.values();
  }

  #prepare(folder: Node, name: string): void {
    const node = folder.children?.get(name);
    if (node !== undefined) {
      this.#give(node);
      return;
    }
    const path = this.#nodes.pathOf(folder);
    if (path !== undefined) this.#vfs.openAhead(childOf(path, name))?.close();
  }

  #give(node: Node): void {
    const { version, sizeBytes } = node.info;
    if (version === undefined || node.given === version || node.openings > 0) return;
    const path = sizeBytes > MAX_GIVEN_BYTES ? undefined : this.#nodes.pathOf(node);
    const file = path && this.#vfs.openAhead(path, { version, hasBytes: false });
    if (file === undefined) return;
    try {
      const isSame = file.version === version && file.sizeBytes === sizeBytes;
      if (isSame && this.#kernel.giveBytes(node, sizeBytes, (target) => file.read(target, 0))) {
        node.given = version;
      }
    } finally {
      file.close();
    }
  }
}

/** Names of a folder, as long as memory is not needed for something else. */
interface Listing {
  readonly folder: Node;
  readonly entries: WeakRef<readonly DirEntry[]>;
  /** Whether a file of it was opened since. */
  isRead: boolean;
}

/** Files of a folder that are read one after the other. */
interface Row {
  /** What is read behind `next`. */
  readonly rest: Iterator<string>;
  readonly isFromFirst: boolean;
  next: string | undefined;
}

/** @returns undefined where the file is not found among the first */
function rowFrom(folder: Node, name: string, rest: Iterator<string>): Row | undefined {
  const isFromFirst = nextFile(folder, rest) === name;
  if (!isFromFirst && !isAmong(rest, name, MAX_SOUGHT)) return undefined;
  return { rest, isFromFirst, next: nextFile(folder, rest) };
}

/** Goes on to a name, but not further than some. @returns whether it is there */
function isAmong(names: Iterator<string>, name: string, limit: number): boolean {
  for (let count = 0; count < limit; count += 1) {
    const { value, done } = names.next();
    if (done === true) return false;
    if (value === name) return true;
  }
  return false;
}

/** What is not known yet was listed as a file. */
function nextFile({ children }: Node, names: Iterator<string>): string | undefined {
  for (;;) {
    const { value, done } = names.next();
    if (done === true) return undefined;
    if ((children?.get(value)?.info.kind ?? 'file') === 'file') return value;
  }
}
