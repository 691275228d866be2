import { type MemoryPlace, placeText } from '../core/memory-entry.ts';
import { isWithin } from '../core/paths.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { Commits } from './commits.ts';
import type { Entries } from './entries.ts';
import type { PlacesChanged } from './journal.ts';
import { LiveFile } from './live-file.ts';
import type { LiveFileKeeper } from './live-file-keeper.ts';
import { splitKey } from './memory-places.ts';

/** The files that somebody has open, one for each place. */
export class LiveFiles implements LiveFileKeeper {
  readonly entries: Entries;
  readonly commits: Commits;
  readonly surprising: (place: MemoryPlace) => void;
  readonly #byPlace = new Map<string, LiveFile>();
  /** Removed files that are still open, by the place that they were removed from. */
  readonly #removed = new Map<string, LiveFile>();
  #waiting: PlacesChanged[] | undefined;

  constructor(entries: Entries, commits: Commits, surprising: (place: MemoryPlace) => void) {
    this.entries = entries;
    this.commits = commits;
    this.surprising = surprising;
  }

  at(place: MemoryPlace): LiveFile | undefined {
    return this.#byPlace.size === 0 ? undefined : this.#byPlace.get(placeText(place));
  }

  /** The open file of an existing entry. */
  take(place: MemoryPlace, row: MemoryRow): LiveFile {
    this.at(place)?.catchUp();
    // The look may have shown that another entry has the name now.
    return this.at(place) ?? this.#add(place, new LiveFile(this, place, row.mode, { kept: row }));
  }

  make(place: MemoryPlace, mode: number): LiveFile {
    const heirOf = this.#removed.get(placeText(place))?.entryId;
    return this.#add(place, new LiveFile(this, place, mode, { heirOf }));
  }

  /**
   * A file that is removed while somebody has it open, and made again before that one closes it, stays the same memory: this is how perl -i and other
   * programs change a file.
   */
  remove(file: LiveFile): void {
    const { place } = file;
    file.detach();
    if (place !== undefined && file.handles > 0) this.#removed.set(placeText(place), file);
  }

  /** To be called when nobody has a file open any more. */
  drop(file: LiveFile): void {
    if (file.place !== undefined && this.at(file.place) === file) this.#byPlace.delete(placeText(file.place));
    for (const [text, removed] of this.#removed) if (removed === file) this.#removed.delete(text);
  }

  /** The names of files in a folder of which nothing has been stored yet. */
  newNames({ type, key }: MemoryPlace): string[] {
    return this.all().flatMap(({ place, isNew }) => {
      if (!isNew || place?.type !== type) return [];
      const { folder, name } = splitKey(place.key);
      return folder === key ? [name] : [];
    });
  }

  /** The open files in a folder, and in the folders below it. */
  below({ type, key }: MemoryPlace): LiveFile[] {
    return this.all().filter(({ place }) => place?.type === type && isWithin(place.key, key));
  }

  all(): LiveFile[] {
    return [...this.#byPlace.values()];
  }

  /** To be called when entries have changed, whoever changed them: their open files follow. */
  changed(changed: PlacesChanged): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(changed);
      return;
    }
    if (this.#byPlace.size === 0) return;
    const { places } = changed;
    const files = places.length === 0 ? this.all() : places.flatMap((place) => this.at(place) ?? []);
    for (const file of files) file.refresh();
  }

  /** Runs something that moves files itself; open files follow other changes only when it is done. */
  whileMoving<T>(act: () => T): T {
    const outer = this.#waiting;
    const waiting = outer ?? [];
    this.#waiting = waiting;
    try {
      return act();
    } finally {
      this.#waiting = outer;
      if (outer === undefined) for (const changed of waiting) this.changed(changed);
    }
  }

  moved(file: LiveFile, from: MemoryPlace): void {
    if (this.at(from) === file) this.#byPlace.delete(placeText(from));
    if (file.place !== undefined && this.at(file.place) === undefined) this.#add(file.place, file);
  }

  #add(place: MemoryPlace, file: LiveFile): LiveFile {
    this.#byPlace.set(placeText(place), file);
    return file;
  }
}
