import { randomUUID } from 'node:crypto';
import { FsError } from '../core/errors.ts';
import { Listeners } from '../core/listeners.ts';
import { type MemoryPlace, placeText } from '../core/memory-entry.ts';
import type { VfsPath } from '../core/paths.ts';
import type { Unsubscribe } from '../core/resolver.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { Settled } from '../store/store.ts';
import { parsePlace } from './memory-places.ts';

/** What was changed, by this process or another one. If no places are listed, any may have changed. */
export interface PlacesChanged {
  readonly places: readonly MemoryPlace[];
  readonly isOurs: boolean;
}

/** A transaction that changes more places is reported as one that may have changed anything. */
const MAX_PLACES = 1000;

/** Runs changes in transactions, and tells listeners what has changed. */
export class Journal {
  readonly #store: ContextStore;
  /** Distinguishes our changes from those of other processes. */
  readonly #writer = randomUUID();
  readonly #listeners = new Listeners<[changed: PlacesChanged]>();
  #noted: Map<string, MemoryPlace> | undefined;
  #dataVersion: number;
  /** The last change that is known here, together with all before it. */
  #seen: number;

  constructor(store: ContextStore) {
    this.#store = store;
    this.#dataVersion = store.dataVersion();
    this.#seen = store.memory.changes.revision();
  }

  revision(): number {
    return this.#store.memory.changes.revision();
  }

  onChange(listener: (changed: PlacesChanged) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  /**
   * Runs the body in a transaction, or as a part of the one that is under way, and tells of what it noted once everything is committed.
   * @throws FsError ENOSPC, EROFS, EBUSY, EIO for errors of the disk, and whatever the body throws
   */
  transact<T>(path: VfsPath, body: () => Settled<T>): T {
    if (this.#noted !== undefined) return body();
    const noted = new Map<string, MemoryPlace>();
    const result = this.#while(noted, () => this.#commit(path, noted, body));
    if (noted.size > 0) {
      const places = noted.size > MAX_PLACES ? [] : [...noted.values()];
      this.#listeners.tell({ places, isOurs: true });
    }
    return result;
  }

  /** Notes, within a transaction, that a place shows something else now. */
  note(place: MemoryPlace): void {
    if (this.#noted === undefined)
      throw new Error(`${placeText(place)} was changed outside of a transaction`);
    this.#noted.set(placeText(place), place);
  }

  /** Finds out whether other processes have changed something, and tells of it. */
  catchUp(): void {
    const dataVersion = this.#store.dataVersion();
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    const { upTo, places: texts } = this.#store.memory.changes.since(this.#seen, this.#writer);
    this.#seen = upTo;
    if (texts?.length === 0) return;
    const places = (texts ?? []).map(parsePlace);
    const known = places.filter((place) => place !== undefined);
    this.#listeners.tell({ places: known.length < places.length ? [] : known, isOurs: false });
  }

  /** Tells of places whose entries have expired, which changes them without a write. */
  tellElapsed(places: readonly MemoryPlace[]): void {
    if (places.length > 0) this.#listeners.tell({ places, isOurs: false });
  }

  #commit<T>(path: VfsPath, noted: ReadonlyMap<string, MemoryPlace>, body: () => Settled<T>): T {
    const { changes } = this.#store.memory;
    let before = 0;
    let after = 0;
    try {
      const result = this.#store.transact<T>(() => {
        before = changes.revision();
        const result = body();
        const texts = noted.size > MAX_PLACES ? [''] : noted.keys();
        for (const text of texts) changes.add(text, this.#writer);
        after = changes.revision();
        return result;
      });
      if (before === this.#seen) this.#seen = after;
      return result;
    } catch (error) {
      if (error instanceof FsError && error.path === '') {
        throw new FsError(error.code, path, error.why, { cause: error.cause });
      }
      throw error;
    }
  }

  #while<T>(noted: Map<string, MemoryPlace>, act: () => T): T {
    this.#noted = noted;
    try {
      return act();
    } finally {
      this.#noted = undefined;
    }
  }
}
