import type { Clock } from '../core/clock.ts';
import type { MemoryPlace } from '../core/memory-entry.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { SearchableEntry } from '../store/memory-searchable.ts';
import type { MemoryTables } from '../store/memory-tables.ts';
import type { SearchStore } from '../store/search-store.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import { passagesOfEntry } from './passages.ts';
import { parsePlace, placeOfRow, placeText, splitKey } from './places.ts';
import { linkSequence, unlinkSequence } from './sequence.ts';

export interface MemorySearchOptions {
  readonly tables: MemoryTables;
  /** A store for entries alone. */
  readonly search: SearchStore;
  readonly clock: Clock;
}

/** How an entry stands that search knows. */
export type EntryState = 'remembered' | 'superseded' | 'gone';

const ALL = '';
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * Keeps what search knows of memory equal to memory. Writing an entry costs nothing for it: who searches has it catch up first, with what the
 * changes of memory tell, whichever process made them.
 */
export class MemorySearchIndex {
  readonly #tables: MemoryTables;
  readonly #search: SearchStore;
  readonly #clock: Clock;
  /** The revision of memory that it is equal to; undefined until all was compared once: the file may be of another memory. */
  #seen: number | undefined;

  constructor({ tables, search, clock }: MemorySearchOptions) {
    this.#tables = tables;
    this.#search = search;
    this.#clock = clock;
  }

  /**
   * Takes in what changed in memory.
   * @param limit so many entries at most, so that a caller can take breaks. Default: all
   * @returns whether nothing is left
   * @throws UserError where the file cannot be written
   */
  catchUp(limit = NO_LIMIT): boolean {
    if (!this.isBehind()) return true;
    return this.#search.transact(() =>
      this.#seen === undefined ? this.#compare(limit) : this.#follow(limit),
    );
  }

  /** Whether there is anything to be taken in. */
  isBehind(): boolean {
    return this.#tables.changes.revision() !== this.#seen;
  }

  /** Stays the same as long as no entry changes. */
  revision(): string {
    return String(this.#tables.changes.revision());
  }

  /** Changes with what was taken in, and not before. */
  takenIn(): string {
    return String(this.#seen);
  }

  /** What an entry says; undefined where there is none, or it is no text. @param place as for `stateOf` */
  content(place: string): string | undefined {
    const entry = this.#entryAt(place);
    return entry === undefined ? undefined : this.#tables.entries.content(entry.id).toString();
  }

  /** @param place as search keeps it: the path of a source */
  stateOf(place: string): EntryState {
    const parsed = parsePlace(place);
    if (parsed === undefined) return 'gone';
    const { folder, name } = splitKey(parsed.key);
    const standing = this.#tables.searchable.standing(parsed.type, folder, name, this.#clock.nowMs());
    if (standing === undefined) return 'gone';
    return standing.supersededBy === null ? 'remembered' : 'superseded';
  }

  /** Places of entries that others supersede. */
  superseded(): Set<string> {
    return this.#tables.searchable.superseded(this.#clock.nowMs());
  }

  #follow(limit: number): boolean {
    const from = Number(this.#search.position() ?? -1);
    const changes = this.#tables.changes.after(from, limit);
    if (changes === undefined || changes.some(({ place }) => place === ALL)) return this.#compare(limit);
    for (const place of new Set(changes.map(({ place }) => place))) this.#takeAt(place);
    const last = changes.at(-1)?.revision ?? from;
    this.#noteSeen(last);
    return last >= this.#tables.changes.revision();
  }

  /** Holds all entries against what is known of them. */
  #compare(limit: number): boolean {
    const { sources } = this.#search;
    const revision = this.#tables.changes.revision();
    const known = new Map(sources.states().map((state) => [state.path, state]));
    let left = limit;
    for (const entry of this.#tables.searchable.all()) {
      const place = placeText(placeOfRow(entry));
      const state = known.get(place);
      known.delete(place);
      if (state?.stamp === stampOf(entry) && state.version === PASSAGES_VERSION) continue;
      if (left === 0) return false;
      left -= 1;
      this.#takeAt(place);
    }
    for (const place of known.keys()) this.#remove(place);
    this.#noteSeen(revision);
    return true;
  }

  #noteSeen(revision: number): void {
    this.#search.setPosition(String(revision));
    this.#seen = revision;
  }

  #takeAt(place: string): void {
    const parsed = parsePlace(place);
    if (parsed === undefined) return;
    const entry = this.#entryAt(place);
    const row = entry === undefined ? undefined : this.#tables.entries.byId(entry.id);
    if (row === undefined) this.#remove(place);
    else if (this.#search.sources.file(place)?.stamp !== stampOf(row)) this.#put(parsed, row);
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

  #put(place: MemoryPlace, row: MemoryRow): void {
    const { sources, passages } = this.#search;
    const content = this.#tables.entries.content(row.id);
    const { tags = [] }: { readonly tags?: readonly string[] } = JSON.parse(row.metadata);
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
    passages.replace(id, passagesOfEntry(place, content.toString(), tags));
    this.#link(row);
  }
}

/** When it was said: an import knows, of what nobody has changed since. */
function saidMs({ version, createdMs, updatedMs }: MemoryRow): number {
  return version === 1 ? createdMs : updatedMs;
}

function stampOf({ id, version }: { readonly id: number; readonly version: number }): string {
  return `${id} ${version}`;
}
