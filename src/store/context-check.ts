import { hash } from 'node:crypto';
import type { Database } from './database.ts';
import { openLogged } from './only-read.ts';

/** A kind of damage to the memory or the history of a state folder. */
export type ContextProblem =
  | 'content-missing'
  | 'content-differs'
  | 'text-differs'
  | 'version-differs'
  | 'row-without-entry'
  | 'history-size'
  | 'history-line';

export interface ContextFinding {
  readonly problem: ContextProblem;
  /** The entry, version or file of the history that is damaged. */
  readonly place: string;
  /** Mends the damage; undefined if nothing can be done about it. */
  readonly mend?: (database: Database) => void;
}

/** The text of an entry that search looks through; undefined if the content is no text. */
export type TextOf = (key: string, content: Uint8Array) => string | undefined;

interface EntryRow {
  readonly id: number;
  readonly place: string;
  readonly key: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly isFound: number;
  readonly content: Buffer | null;
  readonly folded: string | null;
}

/** Named as the writer of what is mended. */
const WRITER = 'check';

/** Checks memory and history for consistency. Their content cannot be made again from anything else, so the bytes of a content are never changed. */
export class ContextCheck {
  readonly #database: Database;

  /** @throws Error if the file cannot be read */
  constructor(file: string) {
    this.#database = openLogged(file, { timeout: 10_000 });
    this.#database.pragma('foreign_keys = ON');
  }

  findings(textOf: TextOf): ContextFinding[] {
    return this.#database
      .transaction(() => [
        ...this.#ofEntries(textOf),
        ...this.#ofVersions(),
        ...this.#ofRelations(),
        ...this.#ofHistory(),
      ])
      .immediate();
  }

  /** Mends everything or nothing. Processes that cache memory are told that any of it may have changed. */
  mend(findings: readonly ContextFinding[]): void {
    this.#database
      .transaction(() => {
        for (const { mend } of findings) mend?.(this.#database);
        this.#database.prepare('INSERT INTO memory_changes (place, writer) VALUES (?, ?)').run('', WRITER);
      })
      .immediate();
  }

  counts(): { readonly memories: number; readonly versions: number; readonly historyEntries: number } {
    const count = (table: string) =>
      this.#database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
    return {
      memories: count('memory_entries WHERE removed_ms IS NULL AND is_temporary = 0'),
      versions: count('memory_versions'),
      historyEntries: count('history'),
    };
  }

  close(): void {
    this.#database.close();
  }

  *#ofEntries(textOf: TextOf): Generator<ContextFinding> {
    const rows = this.#database.prepare<[], EntryRow>(`
      SELECT e.id AS id, type || '/' || iif(folder = '', '', folder || '/') || name AS place,
        iif(folder = '', '', folder || '/') || name AS key, sha256, size_bytes AS sizeBytes,
        removed_ms IS NULL AND is_temporary = 0 AS isFound, content, folded
      FROM memory_entries e LEFT JOIN memory_contents USING (id) LEFT JOIN memory_texts USING (id)`);
    for (const { id, place, key, sha256, sizeBytes, isFound, content, folded } of rows.iterate()) {
      if (content === null) {
        yield this.#missing(id, place, sha256);
        continue;
      }
      if (hash('sha256', content) !== sha256 || content.byteLength !== sizeBytes) {
        yield { problem: 'content-differs', place, mend: (database) => correctSum(database, id) };
      }
      const text = isFound === 1 ? textOf(key, content) : undefined;
      if ((text ?? null) !== folded) {
        yield { problem: 'text-differs', place, mend: (database) => putText(database, id, text) };
      }
    }
  }

  /** If an earlier content is the very one that is lost, it is put back. */
  #missing(id: number, place: string, sha256: string): ContextFinding {
    const found = this.#database
      .prepare('SELECT 1 FROM memory_versions WHERE entry_id = ? AND sha256 = ?')
      .get(id, sha256);
    if (found === undefined) return { problem: 'content-missing', place };
    return {
      problem: 'content-missing',
      place,
      mend: (database) => {
        database
          .prepare(
            'INSERT INTO memory_contents SELECT entry_id, content FROM memory_versions WHERE entry_id = ? AND sha256 = ? LIMIT 1',
          )
          .run(id, sha256);
      },
    };
  }

  *#ofVersions(): Generator<ContextFinding> {
    const rows = this.#database.prepare<
      [],
      { row: number; place: string; sha256: string; content: Buffer; isLate: number }
    >(`
      SELECT v.rowid AS row, type || '/' || iif(folder = '', '', folder || '/') || name || ' version ' || v.version AS place,
        v.sha256 AS sha256, content, v.version >= e.version AS isLate
      FROM memory_versions v JOIN memory_entries e ON e.id = entry_id`);
    for (const { row, place, sha256, content, isLate } of rows.iterate()) {
      if (isLate === 1) yield { problem: 'version-differs', place };
      else if (hash('sha256', content) !== sha256) {
        yield {
          problem: 'version-differs',
          place,
          mend: (database) => {
            database
              .prepare('UPDATE memory_versions SET sha256 = ? WHERE rowid = ?')
              .run(hash('sha256', content), row);
          },
        };
      }
    }
  }

  /** Rows that belong to an entry which does not exist, so that nobody can reach them. */
  *#ofRelations(): Generator<ContextFinding> {
    const rows = this.#database
      .prepare<[], { table: string; rowid: number | null; parent: string }>(
        'SELECT * FROM pragma_foreign_key_check',
      )
      .all();
    const tables = new Set(rows.map(({ table }) => table).filter((table) => table.startsWith('memory_')));
    for (const table of tables) {
      yield {
        problem: 'row-without-entry',
        place: table,
        mend: (database) => removeLoose(database, table),
      };
    }
  }

  *#ofHistory(): Generator<ContextFinding> {
    const sizes = this.#database.prepare<[], { id: number; place: string }>(`
      SELECT f.id AS id, date || '_' || session || '.jsonl' AS place FROM history_files f
      LEFT JOIN history h ON h.file_id = f.id GROUP BY f.id
      HAVING size_bytes <> ifnull(sum(length(CAST(line AS BLOB))), 0) OR entries <> count(h.id)
        OR size_bytes <> ifnull(max(end_bytes), 0)`);
    for (const { id, place } of sizes.all()) {
      yield { problem: 'history-size', place, mend: (database) => correctHistory(database, id) };
    }
    const lines = this.#database.prepare<[], { place: string }>(`
      SELECT ifnull(date || '_' || session || '.jsonl', 'a file that is not there') || ' entry ' || h.id AS place
      FROM history h LEFT JOIN history_files f ON f.id = file_id WHERE NOT json_valid(line) OR f.id IS NULL`);
    for (const { place } of lines.all()) yield { problem: 'history-line', place };
  }
}

function correctSum(database: Database, id: number): void {
  const content = database
    .prepare<[number], Buffer>('SELECT content FROM memory_contents WHERE id = ?')
    .pluck()
    .get(id);
  if (content === undefined) return;
  database
    .prepare('UPDATE memory_entries SET sha256 = ?, size_bytes = ? WHERE id = ?')
    .run(hash('sha256', content), content.byteLength, id);
}

function putText(database: Database, id: number, text: string | undefined): void {
  database.prepare('DELETE FROM memory_texts WHERE id = ?').run(id);
  if (text !== undefined) database.prepare('INSERT INTO memory_texts VALUES (?, ?)').run(id, text);
}

function removeLoose(database: Database, table: string): void {
  const parents = database
    .prepare<[], { from: string; on_delete: string }>(`SELECT * FROM pragma_foreign_key_list('${table}')`)
    .all();
  for (const { from, on_delete } of parents) {
    const loose = `${from} IS NOT NULL AND ${from} NOT IN (SELECT id FROM memory_entries)`;
    if (on_delete === 'SET NULL') database.exec(`UPDATE ${table} SET ${from} = NULL WHERE ${loose}`);
    else database.exec(`DELETE FROM ${table} WHERE ${loose}`);
  }
}

/** Derives where each line ends and how many there are from the lines themselves, which are the content of the history. */
function correctHistory(database: Database, fileId: number): void {
  const triggers = database
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('history', 'history_files')",
    )
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  // Values below zero come first, since no two lines may end at the same place, not even in between.
  database.prepare('UPDATE history SET end_bytes = -id WHERE file_id = ?').run(fileId);
  database
    .prepare(`UPDATE history SET end_bytes = (SELECT sum(length(CAST(line AS BLOB))) FROM history before
      WHERE before.file_id = history.file_id AND before.id <= history.id) WHERE file_id = ?`)
    .run(fileId);
  database
    .prepare(`UPDATE history_files SET entries = (SELECT count(*) FROM history WHERE file_id = history_files.id),
      size_bytes = (SELECT ifnull(max(end_bytes), 0) FROM history WHERE file_id = history_files.id) WHERE id = ?`)
    .run(fileId);
  for (const { sql } of triggers) database.exec(sql);
}
