import type { Clock } from '../core/clock.ts';
import { PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import type { MemoryPlace } from '../core/memory-entry.ts';
import type { MemoryFolderRow, MemoryFolderTable } from '../store/memory-folders.ts';
import { splitKey } from './memory-places.ts';

/** Folders of keys. The folder of a type has an empty key and always exists. */
export class Folders {
  readonly #table: MemoryFolderTable;
  readonly #clock: Clock;
  /** The modification time of folders of types in which nothing has ever been made. */
  readonly #openedMs: number;

  constructor(table: MemoryFolderTable, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
    this.#openedMs = clock.nowMs();
  }

  at({ type, key }: MemoryPlace): MemoryFolderRow | undefined {
    const { folder, name } = splitKey(key);
    const row = this.#table.at(type, folder, name);
    if (row !== undefined || key !== '') return row;
    return { type, folder, name, mode: PRIVATE_FOLDER_MODE, modifiedMs: this.#openedMs, modifiedRestNs: 0 };
  }

  /** The names of the folders in a folder. */
  names({ type, key }: MemoryPlace): string[] {
    return this.#table.names(type, key);
  }

  make(place: MemoryPlace, mode = PRIVATE_FOLDER_MODE): void {
    const { folder, name } = splitKey(place.key);
    const modifiedMs = this.#clock.nowMs();
    this.#table.put({ type: place.type, folder, name, mode, modifiedMs, modifiedRestNs: 0 });
    this.touch(place);
  }

  put(row: MemoryFolderRow): void {
    this.#table.put(row);
  }

  remove(place: MemoryPlace): void {
    const { folder, name } = splitKey(place.key);
    this.#table.remove(place.type, folder, name);
    this.touch(place);
  }

  /** Moves a folder with those below it. The entries in them have to be moved one by one. */
  move(from: MemoryPlace, to: MemoryPlace): void {
    this.#table.move({ type: from.type, ...splitKey(from.key) }, { type: to.type, ...splitKey(to.key) });
    this.touch(from);
    this.touch(to);
  }

  /** To be called when a name in the folder of this place was added or removed. */
  touch({ type, key }: MemoryPlace): void {
    const { folder, name } = splitKey(splitKey(key).folder);
    const modifiedMs = this.#clock.nowMs();
    if (this.#table.touch(type, folder, name, modifiedMs) || name !== '') return;
    this.#table.put({ type, folder, name, mode: PRIVATE_FOLDER_MODE, modifiedMs, modifiedRestNs: 0 });
  }
}
