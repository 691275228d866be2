import type { Database, PreparedStatement } from './database.ts';
import { IS_SUPERSEDED, isRemembered } from './memory-entries.ts';

/** How many texts are read at a time. */
const BATCH = 500;

export interface FoundText {
  readonly id: number;
  readonly folded: string;
}

/**
 * The texts that search looks through: for each entry that is text, its key in the first line and then its content, all in lower case. They are read from end
 * to end, which for some ten thousand entries takes less time than maintaining an index of all parts of words at each write.
 */
export class MemoryTextTable {
  readonly #put: PreparedStatement<[number, string]>;
  readonly #remove: PreparedStatement<[number]>;
  readonly #found: PreparedStatement<
    [{ nowMs: number; word: string; superseded: number; before: number }],
    string
  >;

  constructor(database: Database) {
    this.#put = database.prepare('INSERT OR REPLACE INTO memory_texts VALUES (?, ?)');
    this.#remove = database.prepare('DELETE FROM memory_texts WHERE id = ?');
    // Id and text are one value, since a row of two costs three times as much as SQLite's own work for it. The texts are read in order and in batches, so that
    // a caller who stops early has read little more.
    this.#found = database
      .prepare<[{ nowMs: number; word: string; superseded: number; before: number }], string>(`
        SELECT e.id || char(10) || folded FROM memory_texts t CROSS JOIN memory_entries e ON e.id = t.id
        WHERE t.id < @before AND instr(folded, @word) > 0 AND ${isRemembered('e')}
          AND (@superseded OR NOT (${IS_SUPERSEDED}))
        ORDER BY t.id DESC LIMIT ${BATCH}`)
      .pluck();
  }

  put(id: number, folded: string): void {
    this.#put.run(id, folded);
  }

  remove(id: number): void {
    this.#remove.run(id);
  }

  /** Texts that contain a word in lower case, those of the latest entries first. */
  *found(word: string, nowMs: number, superseded: boolean): Generator<FoundText> {
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const batch = this.#found.all({ nowMs, word, superseded: superseded ? 1 : 0, before });
      for (const line of batch) {
        const end = line.indexOf('\n');
        before = Number(line.slice(0, end));
        yield { id: before, folded: line.slice(end + 1) };
      }
      if (batch.length < BATCH) return;
    }
  }
}
