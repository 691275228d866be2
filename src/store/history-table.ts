import { isoDay } from '../core/iso-time.ts';
import type { Database, PreparedStatement } from './database.ts';

/**
 * A file of the history holds the entries of one session of one day. Triggers make sure that it only grows at its end: no entry is changed, replaced or
 * inserted. The only way to remove entries is to note in `given_up_history` that a file is given up: then all of it goes at once. So a mistaken write to the
 * file, by whatever program, has not changed what the history says.
 */
export const HISTORY_SCHEMA = `
  CREATE TABLE history_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    date TEXT NOT NULL,
    session TEXT NOT NULL,
    size_bytes INTEGER NOT NULL DEFAULT 0,
    entries INTEGER NOT NULL DEFAULT 0,
    modified_ms INTEGER NOT NULL,
    UNIQUE (date, session)
  );

  CREATE TABLE history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file_id INTEGER NOT NULL REFERENCES history_files (id),
    end_bytes INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    entered_ms INTEGER NOT NULL,
    type TEXT NOT NULL,
    actor TEXT NOT NULL,
    path TEXT,
    line TEXT NOT NULL
  );
  CREATE UNIQUE INDEX history_by_place ON history (file_id, end_bytes);

  CREATE TABLE given_up_history (
    file_id INTEGER PRIMARY KEY,
    date TEXT NOT NULL,
    session TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
  );

  CREATE TRIGGER history_grows_at_its_end BEFORE INSERT ON history
  WHEN instr(NEW.line, char(10)) IS NOT length(NEW.line) OR NEW.line = ''
    OR NEW.end_bytes IS NOT
      (SELECT size_bytes FROM history_files WHERE id = NEW.file_id) + length(CAST(NEW.line AS BLOB))
    OR EXISTS (SELECT 1 FROM history WHERE id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'history grows at its end only'); END;
  CREATE TRIGGER history_is_in_order AFTER INSERT ON history
  WHEN NEW.id < 1 OR NEW.id < (SELECT max(id) FROM history)
  BEGIN SELECT RAISE(ABORT, 'history grows at its end only'); END;
  CREATE TRIGGER history_file_grows AFTER INSERT ON history
  BEGIN
    UPDATE history_files
    SET size_bytes = NEW.end_bytes, entries = entries + 1, modified_ms = max(modified_ms, NEW.entered_ms)
    WHERE id = NEW.file_id;
  END;
  CREATE TRIGGER history_is_not_changed BEFORE UPDATE ON history
  BEGIN SELECT RAISE(ABORT, 'history is not changed'); END;
  CREATE TRIGGER history_is_not_removed BEFORE DELETE ON history
  WHEN NOT EXISTS (SELECT 1 FROM given_up_history WHERE file_id = OLD.file_id)
  BEGIN SELECT RAISE(ABORT, 'history is not removed'); END;

  CREATE TRIGGER history_file_begins_empty BEFORE INSERT ON history_files
  WHEN NEW.size_bytes IS NOT 0 OR NEW.entries IS NOT 0
    OR EXISTS (SELECT 1 FROM history_files WHERE id = NEW.id OR date = NEW.date AND session = NEW.session)
  BEGIN SELECT RAISE(ABORT, 'history grows at its end only'); END;
  CREATE TRIGGER history_file_is_not_changed BEFORE UPDATE ON history_files
  WHEN NEW.id IS NOT OLD.id OR NEW.date IS NOT OLD.date OR NEW.session IS NOT OLD.session
    OR NEW.size_bytes IS NOT ifnull((SELECT max(end_bytes) FROM history WHERE file_id = OLD.id), 0)
    OR NEW.entries - OLD.entries IS NOT (NEW.size_bytes > OLD.size_bytes)
  BEGIN SELECT RAISE(ABORT, 'history is not changed'); END;
  CREATE TRIGGER history_file_is_not_removed BEFORE DELETE ON history_files
  WHEN NOT EXISTS (SELECT 1 FROM given_up_history WHERE file_id = OLD.id)
  BEGIN SELECT RAISE(ABORT, 'history is not removed'); END;

  CREATE TRIGGER history_is_given_up AFTER INSERT ON given_up_history
  BEGIN
    DELETE FROM history WHERE file_id = NEW.file_id;
    DELETE FROM history_files WHERE id = NEW.file_id;
  END;
`;

/** An entry to be appended. The line is its JSON with a line feed. */
export interface HistoryRow {
  /** When the event happened. */
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
  /** Such as `2026-11-21`. */
  readonly date: string;
  readonly session: string;
  readonly sizeBytes: number;
  readonly entries: number;
  /** When the latest entry was appended. */
  readonly modifiedMs: number;
}

export interface HistoryFilter {
  readonly session?: string | undefined;
  readonly type?: string | undefined;
  readonly actor?: string | undefined;
  /** A path of the mount, which stands for everything below it, too. */
  readonly path?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** Selects only entries that came after this one. */
  readonly afterId?: number | undefined;
  /** How many entries to select; the newest are taken. */
  readonly limit: number;
}

const FILE_COLUMNS = 'id, date, session, size_bytes AS sizeBytes, entries, modified_ms AS modifiedMs';

/** The append-only log of what was done. */
export class HistoryTable {
  readonly #database: Database;
  readonly #addFile: PreparedStatement<[string, string, number]>;
  readonly #fileOf: PreparedStatement<[string, string], HistoryFile>;
  readonly #fileById: PreparedStatement<[number], HistoryFile>;
  readonly #files: PreparedStatement<[], HistoryFile>;
  readonly #append: PreparedStatement<
    [number, number, number, number, string, string, string | null, string]
  >;
  readonly #latest: PreparedStatement<[], { id: number }>;
  readonly #newest: PreparedStatement<[], number | null>;
  readonly #filesAfter: PreparedStatement<[number], HistoryFile>;
  readonly #giveUp: PreparedStatement<[number, number]>;
  readonly #lines: PreparedStatement<[number, number, number], string>;
  readonly #linesFrom: PreparedStatement<[number, number], { endBytes: number; line: string }>;

  constructor(database: Database) {
    this.#database = database;
    this.#addFile = database.prepare(
      'INSERT INTO history_files (date, session, modified_ms) VALUES (?, ?, ?)',
    );
    this.#fileOf = database.prepare(
      `SELECT ${FILE_COLUMNS} FROM history_files WHERE date = ? AND session = ?`,
    );
    this.#fileById = database.prepare(`SELECT ${FILE_COLUMNS} FROM history_files WHERE id = ?`);
    this.#files = database.prepare(`SELECT ${FILE_COLUMNS} FROM history_files ORDER BY date, session`);
    this.#append = database.prepare(
      'INSERT INTO history (file_id, end_bytes, time_ms, entered_ms, type, actor, path, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#latest = database.prepare('SELECT id FROM history ORDER BY id DESC LIMIT 1');
    this.#newest = database.prepare<[], number | null>('SELECT max(modified_ms) FROM history_files').pluck();
    this.#filesAfter = database.prepare(
      `SELECT ${FILE_COLUMNS} FROM history_files WHERE id IN (SELECT file_id FROM history WHERE id > ?)`,
    );
    this.#giveUp = database.prepare(
      `INSERT INTO given_up_history (file_id, date, session, size_bytes, entries, at_ms)
       SELECT id, date, session, size_bytes, entries, ? FROM history_files WHERE id = ?`,
    );
    this.#lines = database
      .prepare<[number, number, number], string>(
        'SELECT line FROM history WHERE file_id = ? ORDER BY end_bytes LIMIT ? OFFSET ?',
      )
      .pluck();
    this.#linesFrom = database.prepare(
      'SELECT end_bytes AS endBytes, line FROM history WHERE file_id = ? AND end_bytes > ? ORDER BY end_bytes',
    );
  }

  /** Appends an entry. To be called inside a transaction, as another process may append to the same file. @returns the file it was appended to */
  append({ timeMs, type, actor, session, path, line }: HistoryRow, nowMs: number): HistoryFile {
    const date = isoDay(timeMs);
    const file = this.#fileFor(date, session, nowMs);
    const sizeBytes = file.sizeBytes + Buffer.byteLength(line);
    this.#append.run(file.id, sizeBytes, timeMs, nowMs, type, actor, path ?? null, line);
    return { ...file, sizeBytes, entries: file.entries + 1, modifiedMs: Math.max(file.modifiedMs, nowMs) };
  }

  /** All files, by date and then by session. */
  files(): HistoryFile[] {
    return this.#files.all();
  }

  /** When the latest of all entries was appended; undefined if there is none. */
  newestMs(): number | undefined {
    return this.#newest.get() ?? undefined;
  }

  file(date: string, session: string): HistoryFile | undefined {
    return this.#fileOf.get(date, session);
  }

  /** The file as it is now. */
  fileById(id: number): HistoryFile | undefined {
    return this.#fileById.get(id);
  }

  /** Reads bytes of a file into `target`, from a position on. @returns how many bytes were read, 0 past the end */
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

  /** Entries of a file, each a line with its line feed. @param from how many entries to skip */
  lines(fileId: number, from: number, limit: number): string[] {
    return this.#lines.all(fileId, limit, from);
  }

  /** The newest entries that match, oldest first. */
  select(filter: HistoryFilter): { id: number; line: string }[] {
    const [conditions, values] = conditionsOf(filter);
    const rows = this.#database.prepare<unknown[], { id: number; line: string }>(
      `SELECT id, line FROM history ${conditions} ORDER BY id DESC LIMIT ?`,
    );
    return rows.all(...values, filter.limit).reverse();
  }

  /** The id of the newest entry, or 0 if there is none. */
  latestId(): number {
    return this.#latest.get()?.id ?? 0;
  }

  /** The files with entries that came after this one. */
  filesAfter(id: number): HistoryFile[] {
    return this.#filesAfter.all(id);
  }

  /** Removes whole files with their entries. To be called inside a transaction. */
  giveUp(fileIds: readonly number[], nowMs: number): void {
    for (const id of fileIds) this.#giveUp.run(nowMs, id);
  }

  #fileFor(date: string, session: string, nowMs: number): HistoryFile {
    const known = this.#fileOf.get(date, session);
    if (known) return known;
    this.#addFile.run(date, session, nowMs);
    const added = this.#fileOf.get(date, session);
    if (!added) throw new Error(`the history file of ${session} is gone at once`);
    return added;
  }
}

/** The SQL conditions of a filter, and the values in them. */
function conditionsOf({ session, type, actor, path, sinceMs, afterId }: HistoryFilter): [string, unknown[]] {
  const parts: [string, unknown[]][] = [];
  if (session !== undefined)
    parts.push(['file_id IN (SELECT id FROM history_files WHERE session = ?)', [session]]);
  if (type !== undefined) parts.push(['type = ?', [type]]);
  if (actor !== undefined) parts.push(['actor = ?', [actor]]);
  if (sinceMs !== undefined) parts.push(['time_ms >= ?', [sinceMs]]);
  if (afterId !== undefined) parts.push(['id > ?', [afterId]]);
  if (path !== undefined) parts.push(...conditionsOnPath(path));
  if (parts.length === 0) return ['', []];
  return [`WHERE ${parts.map(([text]) => text).join(' AND ')}`, parts.flatMap(([, values]) => values)];
}

/** A condition on the path of an entry, the paths of a burst, or the second path of a move. */
function conditionsOnPath(path: string): [string, unknown[]][] {
  const below = path.endsWith('/') ? path : `${path}/`;
  const isWithin = (value: string) => `(${value} = ? OR substr(${value}, 1, ?) = ?)`;
  const within = [path, below.length, below];
  // Few lines contain the text at all, and only those are parsed.
  const quoted = [path, below].map((text) => JSON.stringify(text));
  const [whole = '', start = ''] = quoted;
  return [
    ['(instr(line, ?) > 0 OR instr(line, ?) > 0)', [whole, start.slice(0, -1)]],
    [
      `(${isWithin('history.path')} OR EXISTS (
        SELECT 1 FROM json_tree(line, '$.data') AS part
        WHERE (part.key IN ('to', 'from', 'conflict') OR part.path = '$.data.paths') AND ${isWithin('part.value')}))`,
      [...within, ...within],
    ],
  ];
}
