import type { Database, PreparedStatement } from './database.ts';
import { isRemembered, SUPERSEDED_BY } from './memory-entries.ts';

export interface FoundText {
  readonly id: number;
  readonly folded: string;
}

/**
 * What search looks through: the key of each entry that is text, in the first line, and its content, all in lower case. Entries are read from
 * end to end, which for some ten thousand of them takes less time than keeping an index of all parts of words at each write.
 */
export class MemoryTextTable {
  readonly #put: PreparedStatement<[number, string]>;
  readonly #remove: PreparedStatement<[number]>;
  readonly #found: PreparedStatement<[{ nowMs: number; word: string; superseded: number }], FoundText>;

  constructor(database: Database) {
    this.#put = database.prepare('INSERT OR REPLACE INTO memory_texts VALUES (?, ?)');
    this.#remove = database.prepare('DELETE FROM memory_texts WHERE id = ?');
    // The texts are walked through in their order, so that who stops early has read no more.
    this.#found = database.prepare(`
      SELECT e.id AS id, folded FROM memory_texts t CROSS JOIN memory_entries e ON e.id = t.id
      WHERE instr(folded, @word) > 0 AND ${isRemembered('e')} AND (@superseded OR ${SUPERSEDED_BY} IS NULL)
      ORDER BY t.id DESC`);
  }

  put(id: number, folded: string): void {
    this.#put.run(id, folded);
  }

  remove(id: number): void {
    this.#remove.run(id);
  }

  /** Texts that hold a word in lower case, of the latest entries first. */
  found(word: string, nowMs: number, superseded: boolean): IterableIterator<FoundText> {
    return this.#found.iterate({ nowMs, word, superseded: superseded ? 1 : 0 });
  }
}
