import type { Database, PreparedStatement } from './database.ts';

/**
 * A file of the history is one session's entries of one day. Triggers hold it to grow at its end only: no entry is changed, none is put in
 * between, and none is removed unless its whole file was given up by retention first.
 */
export const HISTORY_SCHEMA = `
  CREATE TABLE history_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    date TEXT NOT NULL,
    session TEXT NOT NULL,
    size_bytes INTEGER NOT NULL DEFAULT 0,
    modified_ms INTEGER NOT NULL,
    UNIQUE (date, session)
  );

  CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL REFERENCES history_files (id),
    end_bytes INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    type TEXT NOT NULL,
    actor TEXT NOT NULL,
    session TEXT NOT NULL,
    path TEXT,
    line TEXT NOT NULL
  );
  CREATE UNIQUE INDEX history_by_place ON history (file_id, end_bytes);

  CREATE TABLE given_up_history (
    file_id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL
  );

  CREATE TRIGGER history_grows_at_its_end BEFORE INSERT ON history
  WHEN NEW.end_bytes IS NOT
    (SELECT size_bytes FROM history_files WHERE id = NEW.file_id) + length(CAST(NEW.line AS BLOB))
  BEGIN SELECT RAISE(ABORT, 'history grows at its end only'); END;
  CREATE TRIGGER history_file_grows AFTER INSERT ON history
  BEGIN
    UPDATE history_files SET size_bytes = NEW.end_bytes, modified_ms = max(modified_ms, NEW.time_ms)
    WHERE id = NEW.file_id;
  END;
  CREATE TRIGGER history_is_not_changed BEFORE UPDATE ON history
  BEGIN SELECT RAISE(ABORT, 'history is not changed'); END;
  CREATE TRIGGER history_is_not_removed BEFORE DELETE ON history
  WHEN NOT EXISTS (SELECT 1 FROM given_up_history WHERE file_id = OLD.file_id)
  BEGIN SELECT RAISE(ABORT, 'history is not removed'); END;
  CREATE TRIGGER history_file_is_not_changed BEFORE UPDATE ON history_files
  WHEN NEW.id IS NOT OLD.id OR NEW.date IS NOT OLD.date OR NEW.session IS NOT OLD.session
    OR NEW.size_bytes IS NOT ifnull((SELECT max(end_bytes) FROM history WHERE file_id = OLD.id), 0)
  BEGIN SELECT RAISE(ABORT, 'history is not changed'); END;
  CREATE TRIGGER history_file_is_not_removed BEFORE DELETE ON history_files
  WHEN NOT EXISTS (SELECT 1 FROM given_up_history WHERE file_id = OLD.id)
  BEGIN SELECT RAISE(ABORT, 'history is not removed'); END;
`;

/** One entry to be appended; the line is its JSON with a line feed. */
export interface HistoryRow {
  readonly timeMs: number;
  readonly type: string;
  readonly actor: string;
  readonly session: string;
  readonly path: string | undefined;
  readonly line: string;
}

/** All entries of one session on one day (UTC). */
export interface HistoryFile {
  readonly id: number;
  /** `2026-11-21`. */
  readonly date: string;
  readonly session: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export interface HistoryFilter {
  readonly session?: string | undefined;
  readonly type?: string | undefined;
  readonly actor?: string | undefined;
  /** A path of the mount, with all below it. */
  readonly path?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** Only what came after this entry. */
  readonly afterId?: number | undefined;
  /** The newest so many. */
  readonly limit: number;
}

const FILE_COLUMNS = 'id, date, session, size_bytes AS sizeBytes, modified_ms AS modifiedMs';

/** The append-only log of what was done. */
export class HistoryTable {
  readonly #database: Database;
  readonly #addFile: PreparedStatement<[string, string, number]>;
  readonly #fileOf: PreparedStatement<[string, string], HistoryFile>;
  readonly #fileById: PreparedStatement<[number], HistoryFile>;
  readonly #files: PreparedStatement<[], HistoryFile>;
  readonly #append: PreparedStatement<
    [number, number, number, string, string, string, string | null, string]
  >;
  readonly #linesFrom: PreparedStatement<[number, number], { endBytes: number; line: string }>;

  readonly #latest: PreparedStatement<[], { id: number }>;

  constructor(database: Database) {
    this.#database = database;
    this.#latest = database.prepare('SELECT id FROM history ORDER BY id DESC LIMIT 1');
    this.#addFile = database.prepare(
      'INSERT INTO history_files (date, session, modified_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#fileOf = database.prepare(
      `SELECT ${FILE_COLUMNS} FROM history_files WHERE date = ? AND session = ?`,
    );
    this.#fileById = database.prepare(`SELECT ${FILE_COLUMNS} FROM history_files WHERE id = ?`);
    this.#files = database.prepare(`SELECT ${FILE_COLUMNS} FROM history_files ORDER BY date, session`);
    this.#append = database.prepare(
      'INSERT INTO history (file_id, end_bytes, time_ms, type, actor, session, path, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#linesFrom = database.prepare(
      'SELECT end_bytes AS endBytes, line FROM history WHERE file_id = ? AND end_bytes > ? ORDER BY end_bytes',
    );
  }

  /** To be called inside a transaction, as another process may append to the same file. @returns the file it went to */
  append({ timeMs, type, actor, session, path, line }: HistoryRow): HistoryFile {
    const date = new Date(timeMs).toISOString().slice(0, 10);
    const file = this.#fileFor(date, session, timeMs);
    const endBytes = file.sizeBytes + Buffer.byteLength(line);
    this.#append.run(file.id, endBytes, timeMs, type, actor, session, path ?? null, line);
    return { ...file, sizeBytes: endBytes, modifiedMs: Math.max(file.modifiedMs, timeMs) };
  }

  /** By date, then session. */
  files(): HistoryFile[] {
    return this.#files.all();
  }

  file(date: string, session: string): HistoryFile | undefined {
    return this.#fileOf.get(date, session);
  }

  /** As it is now. */
  fileById(id: number): HistoryFile | undefined {
    return this.#fileById.get(id);
  }

  /** Fills `target` from a position of a file on. @returns the count of bytes, 0 past the end */
  read(fileId: number, target: Uint8Array, position: number): number {
    let filled = 0;
    for (const { endBytes, line } of this.#linesFrom.iterate(fileId, position)) {
      const bytes = Buffer.from(line);
      const from = Math.max(0, position - (endBytes - bytes.length));
      const part = bytes.subarray(from, from + target.length - filled);
      target.set(part, filled);
      filled += part.length;
      if (filled === target.length) break;
    }
    return filled;
  }

  /** The newest entries that pass, oldest first. */
  select(filter: HistoryFilter): { id: number; line: string }[] {
    const [conditions, values] = conditionsOf(filter);
    const rows = this.#database.prepare<unknown[], { id: number; line: string }>(
      `SELECT id, line FROM history ${conditions} ORDER BY id DESC LIMIT ?`,
    );
    return rows.all(...values, filter.limit).reverse();
  }

  /** Id of the newest entry, 0 where there is none. */
  latestId(): number {
    return this.#latest.get()?.id ?? 0;
  }

  /** Gives up whole files and what they hold. To be called inside a transaction. */
  giveUp(fileIds: readonly number[], nowMs: number): void {
    const mark = this.#database.prepare('INSERT OR REPLACE INTO given_up_history VALUES (?, ?)');
    const removeEntries = this.#database.prepare('DELETE FROM history WHERE file_id = ?');
    const removeFile = this.#database.prepare('DELETE FROM history_files WHERE id = ?');
    for (const id of fileIds) {
      mark.run(id, nowMs);
      removeEntries.run(id);
      removeFile.run(id);
    }
  }

  #fileFor(date: string, session: string, timeMs: number): HistoryFile {
    const known = this.#fileOf.get(date, session);
    if (known) return known;
    this.#addFile.run(date, session, timeMs);
    const added = this.#fileOf.get(date, session);
    if (!added) throw new Error(`the history file of ${session} is gone at once`);
    return added;
  }
}

function conditionsOf(filter: HistoryFilter): [string, unknown[]] {
  const { session, type, actor, path, sinceMs, afterId } = filter;
  const parts: [string, unknown[]][] = [];
  if (session !== undefined) parts.push(['session = ?', [session]]);
  if (type !== undefined) parts.push(['type = ?', [type]]);
  if (actor !== undefined) parts.push(['actor = ?', [actor]]);
  if (sinceMs !== undefined) parts.push(['time_ms >= ?', [sinceMs]]);
  if (afterId !== undefined) parts.push(['id > ?', [afterId]]);
  if (path !== undefined) {
    const below = `${path.replace(/\/$/, '')}/`;
    // A burst has its paths in the line; those of JSON are quoted.
    const quoted = [JSON.stringify(path), JSON.stringify(below).slice(0, -1)];
    parts.push([
      '(path = ? OR substr(path, 1, ?) = ? OR (path IS NULL AND (instr(line, ?) > 0 OR instr(line, ?) > 0)))',
      [path, below.length, below, ...quoted],
    ]);
  }
  if (parts.length === 0) return ['', []];
  return [`WHERE ${parts.map(([text]) => text).join(' AND ')}`, parts.flatMap(([, values]) => values)];
}
