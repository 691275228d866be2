import type { Database, PreparedStatement } from './database.ts';

/** `document` is markdown, `text` other text, `node` a node of the graph; `none` is a file that was read and has no text to search. Entries of memory have stores of their own. */
export type SourceKind = 'document' | 'text' | 'node' | 'memory' | 'history' | 'none';

/** What passages are taken from, as it was when it was read. */
export interface SourceRow {
  readonly id: number;
  readonly kind: SourceKind;
  /** For a file, its path relative to the docs root; for a node, its key. */
  readonly path: string;
  /** For a file: size, times and inode as one opaque text, which is equal if nobody has touched the file. If it might be touched and still look the same, the text equals no other. For a node: the revision of what it shows. */
  readonly stamp: string;
  readonly sha256: string;
  /** The version of the rules by which passages are cut and terms are made. */
  readonly version: number;
  readonly title: string;
  /** For a node, its type; for a document, the type that its front matter gives, or nothing. In lower case. */
  readonly type: string;
  /** Tags in lower case, each between line ends: `\nbilling\nnew\n`; empty if there are none. */
  readonly tags: string;
  /** The time of the file, or when the node changed. Milliseconds since 1970. */
  readonly modifiedMs: number;
  /** The date that front matter gives, or else `modifiedMs`. */
  readonly dateMs: number;
}

/** As much of a source as it takes to know whether it is up to date. */
export type SourceState = Pick<SourceRow, 'path' | 'kind' | 'stamp' | 'sha256' | 'version'>;

const COLUMNS =
  'id, kind, path, stamp, sha256, version, title, type, tags, modified_ms AS modifiedMs, date_ms AS dateMs';
const INSERT = `INSERT INTO sources (kind, path, stamp, sha256, version, title, type, tags, modified_ms, date_ms)
  VALUES (@kind, @path, @stamp, @sha256, @version, @title, @type, @tags, @modifiedMs, @dateMs)`;
const STATE = 'path, kind, stamp, sha256, version';

export const SOURCE_TABLE = `
  CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    path TEXT NOT NULL,
    stamp TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    version INTEGER NOT NULL,
    title TEXT NOT NULL,
    type TEXT NOT NULL,
    tags TEXT NOT NULL,
    modified_ms INTEGER NOT NULL,
    date_ms INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX sources_by_path ON sources (path, kind = 'node');
`;

/** What search knows: files, and nodes of the graph. */
export class SourceTable {
  readonly #file: PreparedStatement<[string], SourceRow>;
  readonly #node: PreparedStatement<[string], SourceRow>;
  readonly #byId: PreparedStatement<[number], SourceRow>;
  readonly #all: PreparedStatement<[], SourceRow>;
  readonly #states: PreparedStatement<[], SourceState>;
  readonly #statesWithin: PreparedStatement<[string, string, string], SourceState>;
  readonly #newest: PreparedStatement<[], number | null>;
  readonly #nodeKeys: PreparedStatement<[], string>;
  readonly #counts: PreparedStatement<[], { kind: SourceKind; total: number }>;
  readonly #add: PreparedStatement<[Omit<SourceRow, 'id'>]>;
  readonly #put: PreparedStatement<[Omit<SourceRow, 'id'>], number>;
  readonly #restamp: PreparedStatement<[Pick<SourceRow, 'path' | 'stamp' | 'modifiedMs'>]>;
  readonly #removeFile: PreparedStatement<[string]>;
  readonly #removeNode: PreparedStatement<[string]>;

  constructor(database: Database) {
    this.#file = database.prepare(`SELECT ${COLUMNS} FROM sources WHERE path = ? AND (kind = 'node') = 0`);
    this.#node = database.prepare(`SELECT ${COLUMNS} FROM sources WHERE path = ? AND (kind = 'node') = 1`);
    this.#byId = database.prepare(`SELECT ${COLUMNS} FROM sources WHERE id = ?`);
    this.#all = database.prepare(`SELECT ${COLUMNS} FROM sources ORDER BY path, kind`);
    this.#states = database.prepare(`SELECT ${STATE} FROM sources WHERE kind <> 'node'`);
    this.#statesWithin = database.prepare(
      `SELECT ${STATE} FROM sources WHERE (path = ? OR (path > ? AND path < ?)) AND kind <> 'node'`,
    );
    this.#newest = database.prepare<[], number | null>('SELECT max(modified_ms) FROM sources').pluck();
    this.#nodeKeys = database
      .prepare<[], string>("SELECT path FROM sources WHERE (kind = 'node') = 1")
      .pluck();
    this.#counts = database.prepare('SELECT kind, count(*) AS total FROM sources GROUP BY kind');
    this.#add = database.prepare(INSERT);
    this.#put = database
      .prepare<[Omit<SourceRow, 'id'>], number>(
        `${INSERT}
         ON CONFLICT (path, kind = 'node') DO UPDATE SET kind = excluded.kind, stamp = excluded.stamp, sha256 = excluded.sha256,
           version = excluded.version, title = excluded.title, type = excluded.type, tags = excluded.tags,
           modified_ms = excluded.modified_ms, date_ms = excluded.date_ms
         RETURNING id`,
      )
      .pluck();
    this.#restamp = database.prepare(
      `UPDATE sources SET stamp = @stamp, date_ms = iif(date_ms = modified_ms, @modifiedMs, date_ms), modified_ms = @modifiedMs
       WHERE path = @path AND (kind = 'node') = 0`,
    );
    this.#removeFile = database.prepare(`DELETE FROM sources WHERE path = ? AND (kind = 'node') = 0`);
    this.#removeNode = database.prepare(`DELETE FROM sources WHERE path = ? AND (kind = 'node') = 1`);
  }

  file(path: string): SourceRow | undefined {
    return this.#file.get(path);
  }

  node(key: string): SourceRow | undefined {
    return this.#node.get(key);
  }

  byId(id: number): SourceRow | undefined {
    return this.#byId.get(id);
  }

  /** All sources in path order. */
  all(): SourceRow[] {
    return this.#all.all();
  }

  /** The sources of the file at a path and of all files below it; all sources for the empty path. */
  states(within = ''): SourceState[] {
    if (within === '') return this.#states.all();
    return this.#statesWithin.all(within, `${within}/`, `${within}0`);
  }

  /** The latest time of any source, in milliseconds since 1970; 0 if there are none. */
  newestMs(): number {
    return this.#newest.get() ?? 0;
  }

  countsByKind(): ReadonlyMap<SourceKind, number> {
    return new Map(this.#counts.all().map(({ kind, total }) => [kind, total]));
  }

  /** Inserts a source that is known to be new, at a part of the cost of `put`. @returns the id of the row */
  add(source: Omit<SourceRow, 'id'>): number {
    return Number(this.#add.run(source).lastInsertRowid);
  }

  /** Inserts a source, or updates the row of its path. @returns the id of the row */
  put(source: Omit<SourceRow, 'id'>): number {
    const id = this.#put.get(source);
    if (id === undefined) throw new Error(`no row came back for ${source.path}`);
    return id;
  }

  /** To be called when a file was touched, but has the same content. */
  restamp(path: string, stamp: string, modifiedMs: number): void {
    this.#restamp.run({ path, stamp, modifiedMs });
  }

  /** The keys of the nodes among the sources. */
  nodeKeys(): string[] {
    return this.#nodeKeys.all();
  }

  /** With its passages. */
  removeFile(path: string): void {
    this.#removeFile.run(path);
  }

  /** With its passages. */
  removeNode(key: string): void {
    this.#removeNode.run(key);
  }
}
