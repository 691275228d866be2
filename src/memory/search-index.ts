import type { Clock } from '../core/clock.ts';
import { type MemoryPlace, placeText } from '../core/memory-entry.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { SearchableEntry } from '../store/memory-searchable.ts';
import type { MemoryTables } from '../store/memory-tables.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SourceState } from '../store/sources.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import { parsePlace, placeOfRow, splitKey } from './memory-places.ts';
import { passagesOfEntry } from './passages.ts';
import { PreparedPassages } from './prepared-passages.ts';
import { linkSequence, unlinkSequence } from './sequence.ts';

export interface MemorySearchOptions {
  readonly tables: Pick<MemoryTables, 'changes' | 'entries' | 'searchable'>;
  /** A search store that contains entries only. */
  readonly search: SearchStore;
  readonly clock: Clock;
}

const ALL = '';
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

type Versioned = Pick<MemoryRow, 'id' | 'version'>;

/** A comparison with all of memory that has begun and is not finished. */
interface Comparison {
  /** The revision of memory when the comparison began. Later changes are taken in when it is done. */
  readonly revision: number;
  /** Places that differed then, and are not taken in yet. The last one is the next. */
  readonly places: string[];
}

/**
 * Keeps the search index of memory equal to memory. A write to an entry costs nothing here: before a search, the index catches up with the
 * changes of memory, whichever process made them.
 */
export class MemorySearchIndex {
  readonly #tables: MemorySearchOptions['tables'];
  readonly #search: SearchStore;
  readonly #clock: Clock;
  /** The revision of memory that the index is equal to; undefined until everything was compared once, since the file may be of another memory. */
  #seen: number | undefined;
  #comparison: Comparison | undefined;
  readonly #prepared = new PreparedPassages();

  constructor({ tables, search, clock }: MemorySearchOptions) {
    this.#tables = tables;
    this.#search = search;
    this.#clock = clock;
  }

  /**
   * Takes in what has changed in memory.
   * @param limit the maximal number of passages, so that a caller can take breaks; of a long entry, as many are made at a time. Default: all
   * @returns whether nothing is left
   * @throws UserError if the file cannot be written
   */
  catchUp(limit = NO_LIMIT): boolean {
    if (!this.isBehind()) return true;
    try {
      return this.#search.transact(() =>
        this.#seen === undefined ? this.#compare(limit) : this.#follow(limit),
      );
    } catch (error) {
      // The transaction is rolled back.
      this.#seen = undefined;
      this.#comparison = undefined;
      this.#prepared.forget();
      throw error;
    }
  }

  /** Whether there is anything to take in. */
  isBehind(): boolean {
    return this.#tables.changes.revision() !== this.#seen;
  }

  /** How many entries a comparison with all of memory, which has begun, has still to take in. */
  left(): number {
    return this.#comparison?.places.length ?? 0;
  }

  /** Stays the same as long as no entry changes. */
  revision(): string {
    return String(this.#tables.changes.revision());
  }

  /** Changes when something is taken in, and only then. */
  takenIn(): string {
    return String(this.#seen);
  }

  /** The content of an entry; undefined if there is no such entry, or it is not text. @param place as for `isRemembered` */
  content(place: string): string | undefined {
    const entry = this.#entryAt(place);
    return entry === undefined ? undefined : this.#tables.entries.content(entry.id).toString();
  }

  /** Whether there is such an entry that has not expired. @param place in the form that search stores: the path of a source */
  isRemembered(place: string): boolean {
    const parsed = parsePlace(place);
    if (parsed === undefined) return false;
    const { folder, name } = splitKey(parsed.key);
    return this.#tables.searchable.isRemembered(parsed.type, folder, name, this.#clock.nowMs());
  }

  /** The places of entries that others supersede. */
  superseded(): Set<string> {
    return this.#tables.searchable.superseded(this.#clock.nowMs());
  }

  #follow(limit: number): boolean {
    const from = Number(this.#search.position() ?? -1);
    const changes = this.#tables.changes.after(from, limit);
    if (changes === undefined || changes.some(({ place }) => place === ALL)) return this.#compare(limit);
    const taken = new Set<string>();
    let seen = from;
    let left = limit;
    for (const { place, revision } of changes) {
      if (!taken.has(place)) {
        const count = left > 0 ? this.#takeAt(place, left) : undefined;
        if (count === undefined) break;
        left -= count;
        taken.add(place);
      }
      seen = revision;
    }
    this.#noteSeen(seen);
    return seen >= this.#tables.changes.revision();
  }

  /** Compares all entries with what is indexed of them. This happens once, with however many breaks. */
  #compare(limit: number): boolean {
    this.#comparison ??= { revision: this.#tables.changes.revision(), places: this.#differing().reverse() };
    const { revision, places } = this.#comparison;
    let left = limit;
    for (let place = places.at(-1); place !== undefined && left > 0; place = places.at(-1)) {
      const count = this.#takeAt(place, left);
      if (count === undefined) return false;
      left -= count;
      places.pop();
    }
    if (places.length > 0) return false;
    this.#noteSeen(revision);
    return !this.isBehind() || (left > 0 && this.#follow(left));
  }

  /** The places of entries that were added or changed, in the order in which they were made, then those of entries that are gone. */
  #differing(): string[] {
    const known = new Map(this.#search.sources.states().map((state) => [state.path, state]));
    const changed: string[] = [];
    for (const entry of this.#tables.searchable.all()) {
      const place = placeText(placeOfRow(entry));
      if (!isOf(known.get(place), entry)) changed.push(place);
      known.delete(place);
    }
    return [...changed, ...known.keys()];
  }

  #noteSeen(revision: number): void {
    this.#search.setPosition(String(revision));
    this.#seen = revision;
    this.#comparison = undefined;
  }

  /**
   * @param limit how many passages may be made
   * @returns how many were made, at least 1, for the look at the entry counts as much; undefined if the entry is not finished
   */
  #takeAt(place: string, limit: number): number | undefined {
    const parsed = parsePlace(place);
    const entry = this.#entryAt(place);
    const row = entry === undefined ? undefined : this.#tables.entries.byId(entry.id);
    if (parsed === undefined || row === undefined) this.#remove(place);
    else if (!isOf(this.#search.sources.file(place), row)) return this.#put(parsed, row, limit);
    return 1;
  }

  #entryAt(place: string): SearchableEntry | undefined {
    const parsed = parsePlace(place);
    if (parsed === undefined) return undefined;
    const { folder, name } = splitKey(parsed.key);
    return this.#tables.searchable.at(parsed.type, folder, name);
  }

  #remove(place: string): void {
    const { sources } = this.#search;
    const source = sources.file(place);
    if (source === undefined) return;
    unlinkSequence(this.#search, source);
    sources.removeFile(place);
    const parsed = parsePlace(place);
    if (parsed === undefined) return;
    const id = Number.parseInt(source.stamp, 10);
    this.#link({ id, type: parsed.type, ...splitKey(parsed.key) });
  }

  #link(entry: Omit<SearchableEntry, 'version'>): void {
    linkSequence({ search: this.#search, searchable: this.#tables.searchable }, entry);
  }

  #put(place: MemoryPlace, row: MemoryRow, limit: number): number | undefined {
    const { sources, passages } = this.#search;
    const { tags = [] }: { readonly tags?: readonly string[] } = JSON.parse(row.metadata);
    const { all, count } = this.#prepared.make(placeText(place), stampOf(row), limit, () =>
      passagesOfEntry(place, this.#tables.entries.content(row.id).toString(), tags),
    );
    if (all === undefined) return undefined;
    const before = sources.file(placeText(place));
    if (before !== undefined) unlinkSequence(this.#search, before);
    const id = sources.put({
      kind: 'memory',
      path: placeText(place),
      stamp: stampOf(row),
      sha256: row.sha256,
      version: PASSAGES_VERSION,
      title: place.key,
      type: place.type,
      tags: tags.length === 0 ? '' : `\n${tags.join('\n').toLowerCase()}\n`,
      modifiedMs: row.updatedMs,
      dateMs: saidMs(row),
    });
    passages.replace(id, all);
    this.#link(row);
    return Math.max(1, count);
  }
}

/** When it was said. An import sets that as the creation time of an entry, so that counts as long as nobody has changed the entry. */
function saidMs({ version, createdMs, updatedMs }: MemoryRow): number {
  return version === 1 ? createdMs : updatedMs;
}

/** Whether the index has this entry as it is now, by the rules of this version. */
function isOf(known: Pick<SourceState, 'stamp' | 'version'> | undefined, entry: Versioned): boolean {
  return known?.stamp === stampOf(entry) && known.version === PASSAGES_VERSION;
}

function stampOf({ id, version }: Versioned): string {
  return `${id} ${version}`;
}
