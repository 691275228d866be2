import { clearTimeout, setTimeout } from 'node:timers';
import type { DirEntry } from '../../core/resolver.ts';
import type { Node } from './node-table.ts';

/** `.` and `..` come before the names, each with the offset behind it. */
export const DOTS = 2;
/** How many names of folders are kept, in addition to those of the folder that was listed last. */
const MAX_KEPT_NAMES = 100_000;
/**
 * While somebody is in the middle of folders, this many times as many names are kept, since listing a large folder again for each piece of it takes very long.
 */
const UNDER_WAY_FACTOR = 10;
/** A reader that has not continued a listing for this long has lost interest, for example one that asked whether a folder is empty. */
const LOST_INTEREST_MS = 60_000;
/**
 * A listing that was read to its end is kept for this long after the last listing of any folder, for others in the middle of it. After that it is dropped, so
 * that an idle daemon is small.
 */
const REST_AFTER_MS = 10_000;
/** The cost of a folder in addition to its names. */
const FOLDER_NAMES = 8;

/** The names of a folder at one moment. */
export interface Listing {
  readonly entries: readonly DirEntry[];
  /** The offset before the first entry; at least {@link DOTS}. */
  readonly base: number;
  /** The offset behind each entry, in ascending order; undefined if they are consecutive. */
  readonly offsets: readonly number[] | undefined;
}

interface Kept {
  readonly listing: Listing;
  /** The number that `begin` was given. */
  readonly asked: number;
  /** Whether somebody has read a piece of it within a minute, and nobody its end after that. */
  isUnderWay: boolean;
  /** Whether somebody has read its end, and nobody a piece of it after that. */
  isEnded: boolean;
}

/** A listing whose offsets are consecutive can be numbered again from this. */
interface Row {
  /** A digest of the names. */
  readonly digest: number;
  /** The offset before the first name; undefined if the offsets have gaps. */
  readonly base: number | undefined;
  /** The offset behind all names that the folder ever had. */
  readonly end: number;
}

/**
 * The listings of folders that the kernel has got. The kernel opens folders by itself, keeps listings, and gives them to everybody who lists the folder. It
 * asks for the rest by an offset if it has lost a listing, or has a newer one that does not know the offset. Nobody here knows who is in the middle of a
 * listing. So **an offset stands for one name of a folder for as long as the folder has it, and for no other one afterwards**, as in Linux's tmpfs: new names
 * are listed behind the existing ones, and a reader that continues from an offset gets each name that stays exactly once, however often the folder changed
 * meanwhile.
 *
 * Names that are no longer kept get the same numbers again if all names are the same then. If not, they get new offsets, and a reader in the middle of them
 * gets them once more: rather twice than never.
 */
export class Listings {
  /** In the order of use, the folder that was used last at the end. */
  readonly #kept = new Map<Node, Kept>();
  readonly #rows = new WeakMap<Node, Row>();
  readonly #maxNames: number;
  #names = 0;
  #asked = 0;
  #losingInterest: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;

  constructor(maxNames = MAX_KEPT_NAMES) {
    this.#maxNames = maxNames;
  }

  /** To be called before a folder is asked for its names. @returns the number to pass to `begin` */
  ask(): number {
    this.#asked += 1;
    return this.#asked;
  }

  /**
   * Numbers the names that a folder has now. If the names were asked for before those of a kept listing, the kept one is newer and is returned.
   * @param digest a digest of the entries, in their order
   * @param asked the result of `ask`
   */
  begin(folder: Node, entries: readonly DirEntry[], digest: number, asked: number): Listing {
    const before = this.#kept.get(folder);
    const row = this.#rows.get(folder);
    if (before !== undefined && (row?.digest === digest || before.asked > asked)) {
      this.#keep(folder, { ...before, asked: Math.max(before.asked, asked) });
      return before.listing;
    }
    const end = row?.end ?? DOTS;
    const base = row?.digest === digest ? (row.base ?? end) : end;
    const listing =
      before === undefined ? { entries, base, offsets: undefined } : goneOn(before.listing, entries, end);
    this.#rows.set(folder, {
      digest,
      base: before === undefined ? base : undefined,
      end: Math.max(end, offsetBehind(listing, listing.entries.length - 1)),
    });
    this.#keep(folder, { listing, asked });
    return listing;
  }

  /** The last names of a folder, if they are kept, for a reader in the middle of them. */
  at(folder: Node): Listing | undefined {
    const kept = this.#kept.get(folder);
    if (kept === undefined) return undefined;
    this.#keep(folder, kept);
    return kept.listing;
  }

  /** To be called when a reader has got all names of a folder. */
  ended(folder: Node): void {
    const kept = this.#kept.get(folder);
    if (kept === undefined) return;
    kept.isEnded = true;
    if (!kept.isUnderWay) return;
    kept.isUnderWay = false;
    this.#dropOldest(folder);
  }

  /** To be called when nothing was listed for some seconds. */
  rest(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    for (const [folder, { isEnded }] of this.#kept) if (isEnded) this.#drop(folder);
  }

  /** To be called when nobody is in the middle of a listing any more. */
  loseInterest(): void {
    clearTimeout(this.#losingInterest);
    this.#losingInterest = undefined;
    for (const kept of this.#kept.values()) kept.isUnderWay = false;
    this.#dropOldest(undefined);
  }

  #keep(folder: Node, { listing, asked }: Pick<Kept, 'listing' | 'asked'>): void {
    this.#drop(folder);
    this.#kept.set(folder, { listing, asked, isUnderWay: true, isEnded: false });
    this.#names += weightOf(listing);
    this.#dropOldest(folder);
    this.#losingInterest ??= setTimeout(() => this.loseInterest(), LOST_INTEREST_MS).unref();
    this.#losingInterest.refresh();
    this.#resting ??= setTimeout(() => this.rest(), REST_AFTER_MS).unref();
    this.#resting.refresh();
  }

  /** @param last a folder that is kept */
  #dropOldest(last: Node | undefined): void {
    for (const [oldest, { isUnderWay }] of this.#kept) {
      if (this.#names <= this.#maxNames) return;
      if (oldest !== last && (!isUnderWay || this.#names > UNDER_WAY_FACTOR * this.#maxNames))
        this.#drop(oldest);
    }
  }

  #drop(folder: Node): void {
    const kept = this.#kept.get(folder);
    if (kept === undefined) return;
    this.#kept.delete(folder);
    this.#names -= weightOf(kept.listing);
  }
}

/** The offset behind an entry. @param index the entry, from 0 on; negative for what comes before all entries */
export function offsetBehind({ base, offsets }: Listing, index: number): number {
  return offsets?.[index] ?? base + index + 1;
}

/** How many entries of a listing come before an offset. */
export function entriesBefore({ entries, base, offsets }: Listing, offset: number): number {
  if (offsets === undefined) return Math.min(Math.max(offset - base, 0), entries.length);
  let [from, to] = [0, offsets.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((offsets[middle] ?? 0) <= offset) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The entries that stay keep their offsets; new ones come behind the end. */
function goneOn(before: Listing, now: readonly DirEntry[], end: number): Listing {
  const left = new Map(now.map((entry) => [entry.name, entry]));
  const entries: DirEntry[] = [];
  const offsets: number[] = [];
  for (const [index, { name }] of before.entries.entries()) {
    const entry = left.get(name);
    if (entry === undefined) continue;
    left.delete(name);
    entries.push(entry);
    offsets.push(offsetBehind(before, index));
  }
  let last = end;
  for (const entry of left.values()) {
    last += 1;
    entries.push(entry);
    offsets.push(last);
  }
  return { entries, base: before.base, offsets };
}

function weightOf({ entries }: Listing): number {
  return entries.length + FOLDER_NAMES;
}
