import type { MemoryType } from '../core/memory-entry.ts';
import type { Database, PreparedStatement } from './database.ts';
import { isRemembered, placeOf } from './memory-entries.ts';

/** The part of an entry that tells whether search has its present state. */
export interface SearchableEntry {
  readonly id: number;
  readonly type: MemoryType;
  /** The folders of its key, empty if there are none; `name` is the last part of the key. */
  readonly folder: string;
  readonly name: string;
  readonly version: number;
}

/** Where an entry was made, and by its number, when. */
export type MadeIn = Pick<SearchableEntry, 'id' | 'type' | 'folder'>;

/** How many entries are looked at to find the neighbouring one. */
const NEAR_ENTRIES = 16;

/** Which entries search may find: those that are text, remembered, and not superseded unless that is asked for. */
export class MemorySearchableTable {
  readonly #all: PreparedStatement<[], SearchableEntry>;
  readonly #at: PreparedStatement<[string, string, string], SearchableEntry>;
  readonly #before: PreparedStatement<[MadeIn & { near: number }], SearchableEntry>;
  readonly #after: PreparedStatement<[MadeIn & { near: number }], SearchableEntry>;
  readonly #remembered: PreparedStatement<
    [{ nowMs: number; type: string; folder: string; name: string }],
    { readonly id: number }
  >;
  readonly #superseded: PreparedStatement<[{ nowMs: number }], string>;

  constructor(database: Database) {
    const searchable = `SELECT e.id AS id, type, folder, name, version FROM memory_entries e JOIN memory_texts t ON t.id = e.id
      WHERE e.removed_ms IS NULL AND e.is_temporary = 0`;
    this.#all = database.prepare(`${searchable} ORDER BY e.id`);
    this.#at = database.prepare(`${searchable} AND type = ? AND folder = ? AND name = ?`);
    // The plus signs keep SQLite from the index of folders, so that it looks at the few numbers nearby, and not at everything in the folder.
    const isBeside = '+type = @type AND +folder = @folder';
    this.#before = database.prepare(
      `${searchable} AND e.id < @id AND e.id >= @id - @near AND ${isBeside} ORDER BY e.id DESC LIMIT 1`,
    );
    this.#after = database.prepare(
      `${searchable} AND e.id > @id AND e.id <= @id + @near AND ${isBeside} ORDER BY e.id LIMIT 1`,
    );
    this.#remembered = database.prepare(
      `SELECT id FROM memory_entries e WHERE type = @type AND folder = @folder AND name = @name AND ${isRemembered('e')}`,
    );
    const pairs = (table: string) => `SELECT ${placeOf('e')} FROM ${table} l
      JOIN memory_entries s ON s.id = l.from_id JOIN memory_entries e ON e.id = l.to_id
      WHERE l.relation = 'supersedes' AND s.id <> e.id AND ${isRemembered('s')}`;
    this.#superseded = database
      .prepare<[{ nowMs: number }], string>(`${pairs('memory_links')} UNION ${pairs('memory_said_links')}`)
      .pluck();
  }

  /** All entries in the order in which they were made, including those whose time has ended. */
  all(): SearchableEntry[] {
    return this.#all.all();
  }

  /** The entry at a place, under the same conditions as `all`. */
  at(type: string, folder: string, name: string): SearchableEntry | undefined {
    return this.#at.get(type, folder, name);
  }

  /** The entries that were made just before and just after an entry in the same folder, if they are not far away. */
  near({ id, type, folder }: MadeIn): {
    readonly before: SearchableEntry | undefined;
    readonly after: SearchableEntry | undefined;
  } {
    const beside = { id, type, folder, near: NEAR_ENTRIES };
    return { before: this.#before.get(beside), after: this.#after.get(beside) };
  }

  /** Whether there is an entry at a place that is neither removed nor expired. */
  isRemembered(type: string, folder: string, name: string, nowMs: number): boolean {
    return this.#remembered.get({ nowMs, type, folder, name }) !== undefined;
  }

  /** The places (`fact/refunds`) of entries that remembered ones supersede. */
  superseded(nowMs: number): Set<string> {
    return new Set(this.#superseded.all({ nowMs }));
  }
}
