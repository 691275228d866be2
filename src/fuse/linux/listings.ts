import type { DirEntry } from '../../core/resolver.ts';
import type { Node } from './node-table.ts';

/** `.` and `..` stand before the names. */
export const DOTS = 2;
/** So many names of folders that nobody lists are kept. */
const MAX_KEPT_NAMES = 100_000;
/** What a folder costs besides its names. */
const FOLDER_NAMES = 8;
/** Of one folder, that somebody may be in the middle of. */
const MAX_KEPT_OF_FOLDER = 8;

/** The names of a folder as they were at one moment, with offsets that no other listing of the folder has. */
export interface Listing {
  readonly entries: readonly DirEntry[];
  /** The offset behind the first entry is one more, and so on up to that behind the last one. */
  readonly base: number;
}

/**
 * What the kernel was listed of folders. It keeps listings, gives them to all who have the folder open, and asks for the rest by an offset where it lost one, or has
 * a newer one that does not know the offset: by the handle of somebody who was never listed anything from here. So offsets are not used
 * for other names, and a listing stays for as long as somebody may be in the middle of it.
 */
export class Listings {
  /** The newest one last; the folder that was used last behind all others. */
  readonly #kept = new Map<Node, readonly Listing[]>();
  readonly #nextBase = new WeakMap<Node, number>();
  readonly #maxNames: number;
  #names = 0;

  constructor(maxNames = MAX_KEPT_NAMES) {
    this.#maxNames = maxNames;
  }

  /** A listing that begins now: the one before, where it has the same names. */
  begin(folder: Node, entries: readonly DirEntry[]): Listing {
    const before = this.#kept.get(folder) ?? [];
    const last = before.at(-1);
    if (last !== undefined && isAlike(last.entries, entries)) {
      this.#keep(folder, before);
      return last;
    }
    const base = this.#nextBase.get(folder) ?? 0;
    const listing = { entries, base };
    this.#nextBase.set(folder, base + entries.length + DOTS);
    this.#keep(folder, [...before, listing].slice(-MAX_KEPT_OF_FOLDER));
    return listing;
  }

  /** What the kernel may have kept of a folder. */
  newest(folder: Node): Listing | undefined {
    return this.#kept.get(folder)?.at(-1);
  }

  /** The listing that an offset is of. */
  at(folder: Node, offset: number): Listing | undefined {
    return this.#kept.get(folder)?.find((listing) => isWithin(listing, offset));
  }

  #keep(folder: Node, listings: readonly Listing[]): void {
    this.#drop(folder);
    this.#kept.set(folder, listings);
    this.#names += namesIn(listings);
    for (const oldest of this.#kept.keys()) {
      if (this.#names <= this.#maxNames || oldest === folder) return;
      this.#drop(oldest);
    }
  }

  #drop(folder: Node): void {
    const listings = this.#kept.get(folder);
    if (listings === undefined) return;
    this.#kept.delete(folder);
    this.#names -= namesIn(listings);
  }
}

/** Whether an offset is one of a listing. */
export function isWithin({ base, entries }: Listing, offset: number): boolean {
  return offset > base && offset <= base + entries.length + DOTS;
}

function namesIn(listings: readonly Listing[]): number {
  return listings.reduce((sum, { entries }) => sum + entries.length, FOLDER_NAMES);
}

function isAlike(one: readonly DirEntry[], other: readonly DirEntry[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ name, kind }, index) => name === other[index]?.name && kind === other[index]?.kind)
  );
}
