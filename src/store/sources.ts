import type { Database, PreparedStatement } from './database.ts';

/** A file whose text is searched, as of when it was read. */
export interface SourceRow {
  readonly id: number;
  /** Relative to the docs root. */
  readonly path: string;
  readonly sha256: string;
  /** Of the rules by which passages are cut and terms are made. */
  readonly version: number;
  readonly title: string;
  /** The file's own time, milliseconds since 1970. */
  readonly modifiedMs: number;
}

const COLUMNS = 'id, path, sha256, version, title, modified_ms AS modifiedMs';

/** The files that search knows. */
export class SourceTable {
  readonly #byPath: PreparedStatement<[string], SourceRow>;
  readonly #byId: PreparedStatement<[number], SourceRow>;
  readonly #all: PreparedStatement<[], SourceRow>;
  readonly #put: PreparedStatement<[Omit<SourceRow, 'id'>], { id: number }>;
  readonly #remove: PreparedStatement<[string]>;

  constructor(database: Database) {
    this.#byPath = database.prepare(`SELECT ${COLUMNS} FROM sources WHERE path = ?`);
    this.#byId = database.prepare(`SELECT ${COLUMNS} FROM sources WHERE id = ?`);
    this.#all = database.prepare(`SELECT ${COLUMNS} FROM sources ORDER BY path`);
    this.#put = database.prepare(`
      INSERT INTO sources (path, sha256, version, title, modified_ms)
      VALUES (@path, @sha256, @version, @title, @modifiedMs)
      ON CONFLICT (path) DO UPDATE SET sha256 = excluded.sha256, version = excluded.version, title = excluded.title,
        modified_ms = excluded.modified_ms
      RETURNING id`);
    this.#remove = database.prepare('DELETE FROM sources WHERE path = ?');
  }

  get(path: string): SourceRow | undefined {
    return this.#byPath.get(path);
  }

  byId(id: number): SourceRow | undefined {
    return this.#byId.get(id);
  }

  /** In path order. */
  all(): SourceRow[] {
    return this.#all.all();
  }

  /** Inserts the source, or updates the row of its path; returns the row's id. */
  put(source: Omit<SourceRow, 'id'>): number {
    const row = this.#put.get(source);
    if (row === undefined) throw new Error(`no row came back for ${source.path}`);
    return row.id;
  }

  /** With its passages. */
  remove(path: string): void {
    this.#remove.run(path);
  }
}
