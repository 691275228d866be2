import type { Database, PreparedStatement } from './database.ts';

export const ADOPTION_SCHEMA = `
  CREATE TABLE memory_adoptions (
    temporary_id INTEGER PRIMARY KEY,
    entry_id INTEGER NOT NULL REFERENCES memory_entries (id) ON DELETE CASCADE,
    adopted_ms INTEGER NOT NULL
  );
  CREATE INDEX memory_adoptions_by_entry ON memory_adoptions (entry_id);
`;

/** The entries that have taken over the content of temporary files which are gone: a program that still has such a file open writes to the entry. */
export class MemoryAdoptionTable {
  readonly #entryOf: PreparedStatement<[number], number>;
  readonly #add: PreparedStatement<[number, number, number]>;
  readonly #forget: PreparedStatement<[number]>;
  readonly #forgetBefore: PreparedStatement<[number]>;

  constructor(database: Database) {
    this.#entryOf = database
      .prepare<[number], number>('SELECT entry_id FROM memory_adoptions WHERE temporary_id = ?')
      .pluck();
    this.#add = database.prepare('INSERT INTO memory_adoptions VALUES (?, ?, ?)');
    this.#forget = database.prepare('DELETE FROM memory_adoptions WHERE temporary_id = ?');
    this.#forgetBefore = database.prepare('DELETE FROM memory_adoptions WHERE adopted_ms < ?');
  }

  /** The id of the entry that a temporary file has become. Ids are never reused. */
  entryOf(temporaryId: number): number | undefined {
    return this.#entryOf.get(temporaryId);
  }

  add(temporaryId: number, entryId: number, nowMs: number): void {
    this.#add.run(temporaryId, entryId, nowMs);
  }

  /** Forgets a temporary file that exists again. */
  forget(temporaryId: number): void {
    this.#forget.run(temporaryId);
  }

  forgetBefore(timeMs: number): void {
    this.#forgetBefore.run(timeMs);
  }
}
