import { groupBy } from '../core/group.ts';
import { MEMORY_TYPES, type MemoryPlace, placeText } from '../core/memory-entry.ts';
import { isWithin } from '../core/paths.ts';
import type { DirEntry } from '../core/resolver.ts';
import type { Entries } from './entries.ts';
import { foldersOf, placeOfRow } from './memory-places.ts';

/**
 * The entries that wait for a person, by the names that `review/` shows. A name is the key alone. If two entries would have the same name, or the
 * key could be taken for a type, it is the type and the key: `fact/refunds`.
 */
export class ReviewShelf {
  readonly #entries: Entries;
  /** Waiting places by their texts. */
  readonly #waiting = new Map<string, MemoryPlace>();
  #byName: ReadonlyMap<string, MemoryPlace> = new Map();
  /** Names by the texts of the places. */
  #names: ReadonlyMap<string, string> = new Map();
  #changedMs: number;

  constructor(entries: Entries) {
    this.#entries = entries;
    this.#changedMs = entries.nowMs();
    this.refresh([]);
  }

  /** When the names last changed. */
  get changedMs(): number {
    return this.#changedMs;
  }

  /**
   * Finds out which entries wait now.
   * @param places those that have changed, each once; none if any may have changed
   * @returns whether any name has changed
   */
  refresh(places: readonly MemoryPlace[]): boolean {
    const changed =
      places.length === 0
        ? this.#differing()
        : places.filter((place) => this.#waits(place) !== this.#waiting.has(placeText(place)));
    if (changed.length === 0) return false;
    for (const place of changed) {
      const text = placeText(place);
      if (!this.#waiting.delete(text)) this.#waiting.set(text, place);
    }
    this.#byName = namesOf([...this.#waiting.values()]);
    this.#names = new Map(Array.from(this.#byName, ([name, place]) => [placeText(place), name]));
    this.#changedMs = this.#entries.nowMs();
    return true;
  }

  placeOf(name: string): MemoryPlace | undefined {
    return this.#byName.get(name);
  }

  nameOf(place: MemoryPlace): string | undefined {
    return this.#names.get(placeText(place));
  }

  /** The names in a folder; undefined if it is no folder. The empty name is the top folder. */
  list(folder: string): DirEntry[] | undefined {
    const start = folder === '' ? 0 : folder.length + 1;
    const listed = new Map<string, DirEntry>();
    for (const name of this.#byName.keys()) {
      if (!isWithin(name, folder) || name === folder) continue;
      const rest = name.slice(start);
      const end = rest.indexOf('/');
      const first = end === -1 ? rest : rest.slice(0, end);
      listed.set(first, { name: first, kind: end === -1 ? 'file' : 'directory' });
    }
    if (listed.size === 0 && folder !== '') return undefined;
    return [...listed.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #waits(place: MemoryPlace): boolean {
    const row = this.#entries.at(place);
    return row !== undefined && row.needsReview === 1 && row.isTemporary === 0;
  }

  /** Places that have begun to wait, and those that have ceased to. */
  #differing(): MemoryPlace[] {
    const gone = new Map(this.#waiting);
    const rows = this.#entries.tables.entries.waitingForReview(this.#entries.nowMs());
    const come = rows.map(placeOfRow).filter((place) => !gone.delete(placeText(place)));
    return [...come, ...gone.values()];
  }
}

function namesOf(places: readonly MemoryPlace[]): Map<string, MemoryPlace> {
  const byKey = groupBy(places, ({ key }) => key);
  const folders = new Set([...byKey.keys()].flatMap(foldersOf));
  return new Map(
    places.map((place) => {
      const { key } = place;
      const isAmbiguous =
        (byKey.get(key)?.length ?? 0) > 1 ||
        folders.has(key) ||
        MEMORY_TYPES.some((type) => isWithin(key, type));
      return [isAmbiguous ? placeText(place) : key, place];
    }),
  );
}
