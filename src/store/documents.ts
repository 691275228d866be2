import type { Database, PreparedStatement } from './database.ts';

/** What the store knows about one file below the docs root. */
export interface DocumentRow {
  readonly id: number;
  /** Relative to the docs root. */
  readonly path: string;
  /** Size, times and inode at the time of indexing, as one opaque text: if it is equal, the file has not changed. If the file might change and still look the same, it is a text that equals no other. */
  readonly stamp: string;
  readonly sha256: string;
  readonly extractorVersion: number;
  /** A stamp of the rules of the schema map by which it was read. */
  readonly schemaStamp: string;
  /** A stamp of a model's answers about it; empty if it was read without any. */
  readonly extractionStamp: string;
  readonly title: string;
  readonly indexedMs: number;
}

export type NewDocument = Omit<DocumentRow, 'id'>;

const COLUMNS =
  'id, path, stamp, sha256, extractor_version AS extractorVersion, schema_stamp AS schemaStamp, extraction_stamp AS extractionStamp, title, indexed_ms AS indexedMs';

/** The documents that the graph is made of. */
export class DocumentTable {
  readonly #byPath: PreparedStatement<[string], DocumentRow>;
  readonly #all: PreparedStatement<[], DocumentRow>;
  readonly #within: PreparedStatement<[string, string, string], DocumentRow>;
  readonly #upsert: PreparedStatement<[NewDocument], { id: number }>;
  readonly #restamp: PreparedStatement<[string, number]>;
  readonly #remove: PreparedStatement<[number]>;
  readonly #hasWithin: PreparedStatement<[string, string], unknown>;
  readonly #count: PreparedStatement<[], { total: number }>;

  constructor(database: Database) {
    this.#byPath = database.prepare(`SELECT ${COLUMNS} FROM documents WHERE path = ?`);
    this.#all = database.prepare(`SELECT ${COLUMNS} FROM documents ORDER BY path`);
    this.#within = database.prepare(
      `SELECT ${COLUMNS} FROM documents WHERE path = ? OR (path > ? AND path < ?) ORDER BY path`,
    );
    this.#upsert = database.prepare(`
      INSERT INTO documents (path, stamp, sha256, extractor_version, schema_stamp, extraction_stamp, title, indexed_ms)
      VALUES (@path, @stamp, @sha256, @extractorVersion, @schemaStamp, @extractionStamp, @title, @indexedMs)
      ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, sha256 = excluded.sha256,
        extractor_version = excluded.extractor_version,
        schema_stamp = excluded.schema_stamp, extraction_stamp = excluded.extraction_stamp, title = excluded.title, indexed_ms = excluded.indexed_ms
      RETURNING id`);
    this.#restamp = database.prepare('UPDATE documents SET stamp = ? WHERE id = ?');
    this.#remove = database.prepare('DELETE FROM documents WHERE id = ?');
    this.#hasWithin = database.prepare('SELECT 1 FROM documents WHERE path > ? AND path < ? LIMIT 1');
    this.#count = database.prepare('SELECT count(*) AS total FROM documents');
  }

  get(path: string): DocumentRow | undefined {
    return this.#byPath.get(path);
  }

  /** All documents in path order. */
  all(): DocumentRow[] {
    return this.#all.all();
  }

  /** The document at a path, or those below the folder there; in path order. */
  within(path: string): DocumentRow[] {
    // `0` is the character after `/`, so this is the end of all paths in the folder.
    return this.#within.all(path, `${path}/`, `${path}0`);
  }

  /** Whether there is a document in the folder at a path, or in a folder in it. */
  hasWithin(path: string): boolean {
    return this.#hasWithin.get(`${path}/`, `${path}0`) !== undefined;
  }

  count(): number {
    return this.#count.get()?.total ?? 0;
  }

  /** Inserts a document, or updates the row of its path. @returns the id of the row */
  put(document: NewDocument): number {
    const row = this.#upsert.get(document);
    if (row === undefined) throw new Error(`no row came back for ${document.path}`);
    return row.id;
  }

  /** To be called when a file was touched, but has the same content. */
  restamp(id: number, stamp: string): void {
    this.#restamp.run(stamp, id);
  }

  /** Removes a document with everything that it contributed. */
  remove(id: number): void {
    this.#remove.run(id);
  }
}
