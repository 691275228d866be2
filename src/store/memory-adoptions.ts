import type { Database, PreparedStatement } from './database.ts';

export const ADOPTION_SCHEMA = `
  CREATE TABLE memory_adoptions (
    temporary_id INTEGER PRIMARY KEY,
    entry_id INTEGER NOT NULL REFERENCES memory_entries (id) ON DELETE CASCADE,
    adopted_ms INTEGER NOT NULL
  );
  CREATE INDEX memory_adoptions_by_entry ON memory_adoptions (entry_id);
`;

/** Which entries took the contents of temporary files that are gone: who still has one of those open writes to the entry. */
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

  /** The entry that a temporary file has become, by their ids, which are never given twice. */
  entryOf(temporaryId: number): number | undefined {
    return this.#entryOf.get(temporaryId);
  }

  add(temporaryId: number, entryId: number, nowMs: number): void {
    this.#add.run(temporaryId, entryId, nowMs);
  }

  /** What a file became that is there again. */
  forget(temporaryId: number): void {
    this.#forget.run(temporaryId);
  }

  forgetBefore(timeMs: number): void {
    this.#forgetBefore.run(timeMs);
  }
}
