import { clearTimeout, setTimeout } from 'node:timers';
import type { DirEntry } from '../../core/resolver.ts';
import type { Node } from './node-table.ts';

/** `.` and `..` stand before the names, each with the offset behind it. */
export const DOTS = 2;
/** So many names of folders are kept, besides those of the folder that was listed last. */
const MAX_KEPT_NAMES = 100_000;
/** So many times as many, where somebody is in the middle of them: to list a large folder anew for each piece of it takes very long. */
const UNDER_WAY_FACTOR = 10;
/** Who was listed nothing for so long has lost interest, such as one who asked whether a folder is empty. */
const LOST_INTEREST_MS = 60_000;
/** What was listed to its end is kept for so long after the last listing of anything, for others who are in the middle of it: a daemon at rest is to be small. */
const REST_AFTER_MS = 10_000;
/** What a folder costs besides its names. */
const FOLDER_NAMES = 8;

/** The names of a folder as they were at one moment. */
export interface Listing {
  readonly entries: readonly DirEntry[];
  /** Before the first entry; at least {@link DOTS}. */
  readonly base: number;
  /** Behind each entry, growing; undefined where they are in a row. */
  readonly offsets: readonly number[] | undefined;
}

interface Kept {
  readonly listing: Listing;
  /** As `begin` was told. */
  readonly asked: number;
  /** Whether somebody was listed a piece of it within a minute, and nobody its end after that. */
  isUnderWay: boolean;
  /** Whether somebody was listed its end, and nobody a piece of it after that. */
  isEnded: boolean;
}

/** What names of a folder had their offsets in a row. */
interface Row {
  /** Stands for the names. */
  readonly digest: number;
  /** Before the first one; undefined where the names have gaps between them. */
  readonly base: number | undefined;
  /** Behind all that the folder ever had. */
  readonly end: number;
}

/**
 * What the kernel was listed of folders. It opens them by itself, keeps listings, gives them to all who list the folder, and asks for the rest by an offset where it
 * lost one, or has a newer one that does not know the offset. Nobody here knows who is in the middle of a listing. So **an offset stands for one name of
 * a folder for as long as the folder has it, and for no other one afterwards**, as in Linux's tmpfs: what comes is listed behind what was there, and whoever
 * goes on from an offset meets each name that stays once, however often the folder changed meanwhile.
 *
 * Names that are not kept are numbered as before where they are the same in the end. Where they are not they get new offsets, and are listed once more to who is
 * in the middle: rather twice than never.
 */
export class Listings {
  /** The folder that was used last behind the others. */
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

  /** To be called before a folder is asked for its names. @returns what `begin` is to be told */
  ask(): number {
    this.#asked += 1;
    return this.#asked;
  }

  /**
   * Numbers the names that a folder has now. Who asked earlier and was answered later gets what is newer.
   * @param digest stands for the entries, in their order
   * @param asked what `ask` gave
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

  /** The names that a folder had last, where they are kept, for somebody who is in the middle of them. */
  at(folder: Node): Listing | undefined {
    const kept = this.#kept.get(folder);
    if (kept === undefined) return undefined;
    this.#keep(folder, kept);
    return kept.listing;
  }

  /** Somebody was listed all names of a folder. */
  ended(folder: Node): void {
    const kept = this.#kept.get(folder);
    if (kept === undefined) return;
    kept.isEnded = true;
    if (!kept.isUnderWay) return;
    kept.isUnderWay = false;
    this.#dropOldest(folder);
  }

  /** Nothing was listed for some seconds. */
  rest(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    for (const [folder, { isEnded }] of this.#kept) if (isEnded) this.#drop(folder);
  }

  /** Nobody is in the middle of anything any more. */
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

  /** @param last stays */
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

/** The offset behind an entry. @param index from 0 on; less for what is before all entries */
export function offsetBehind({ base, offsets }: Listing, index: number): number {
  return offsets?.[index] ?? base + index + 1;
}

/** How many entries of a listing an offset is behind. */
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

/** What there was before keeps its offsets, and the rest comes behind the end. */
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
