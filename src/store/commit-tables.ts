import type { Database, PreparedStatement } from './database.ts';

/** A commit whose graph is known, with the graph's size. */
export interface CommitRow {
  /** The whole name, in hexadecimal. */
  readonly commit: string;
  /** Revision of the graph that is the commit's. */
  readonly revision: number;
  /** How the docs were read: the graph is the commit's for who reads them in the same way. */
  readonly reading: string;
  readonly committedMs: number;
  readonly subject: string;
  readonly documents: number;
  readonly nodes: number;
  readonly edges: number;
}

/** A file in the tree of the commit that the graph stands at. */
export interface FileRow {
  /** Relative to the docs root. */
  readonly path: string;
  /** Of the blob, in hexadecimal. */
  readonly object: string;
  /** As in a tree of Git. */
  readonly mode: string;
}

export const COMMIT_TABLES = `
  CREATE TABLE IF NOT EXISTS commits (
    name TEXT NOT NULL,
    reading TEXT NOT NULL,
    revision INTEGER NOT NULL,
    committed_ms INTEGER NOT NULL,
    subject TEXT NOT NULL,
    documents INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    edges INTEGER NOT NULL,
    PRIMARY KEY (name, reading)
  ) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS tree_files (
    path TEXT PRIMARY KEY,
    object TEXT NOT NULL,
    mode TEXT NOT NULL
  ) WITHOUT ROWID;
`;

const COLUMNS = `name AS "commit", reading, revision, committed_ms AS committedMs, subject, documents, nodes, edges`;

/** Which revision of the graph is that of a commit. */
export class CommitTable {
  readonly #get: PreparedStatement<[string, string], CommitRow>;
  readonly #all: PreparedStatement<[], CommitRow>;
  readonly #put: PreparedStatement<[CommitRow]>;

  constructor(database: Database) {
    this.#get = database.prepare(`SELECT ${COLUMNS} FROM commits WHERE name = ? AND reading = ?`);
    this.#all = database.prepare(
      `SELECT ${COLUMNS} FROM commits ORDER BY committed_ms DESC, revision DESC, name`,
    );
    this.#put = database.prepare(`
      INSERT INTO commits (name, reading, revision, committed_ms, subject, documents, nodes, edges)
      VALUES (@commit, @reading, @revision, @committedMs, @subject, @documents, @nodes, @edges)
      ON CONFLICT DO NOTHING`);
  }

  get(commit: string, reading: string): CommitRow | undefined {
    return this.#get.get(commit, reading);
  }

  /** Latest first; one that was read in several ways comes several times. */
  all(): CommitRow[] {
    return this.#all.all();
  }

  /** What is known of a commit stays as it is. */
  put(row: CommitRow): void {
    this.#put.run(row);
  }
}

/** Every file of the docs, images and all else, at the commit that the graph stands at. */
export class FileTable {
  readonly #get: PreparedStatement<[string], FileRow>;
  readonly #all: PreparedStatement<[], FileRow>;
  readonly #named: PreparedStatement<[{ name: string }], FileRow>;
  readonly #put: PreparedStatement<[string, string, string]>;
  readonly #remove: PreparedStatement<[string]>;
  readonly #clear: PreparedStatement<[]>;

  constructor(database: Database) {
    this.#get = database.prepare('SELECT path, object, mode FROM tree_files WHERE path = ?');
    this.#all = database.prepare('SELECT path, object, mode FROM tree_files ORDER BY path');
    this.#named = database.prepare(
      "SELECT path, object, mode FROM tree_files WHERE path = @name OR path LIKE '%/' || @name ORDER BY path",
    );
    this.#put = database.prepare('INSERT OR REPLACE INTO tree_files VALUES (?, ?, ?)');
    this.#remove = database.prepare('DELETE FROM tree_files WHERE path = ?');
    this.#clear = database.prepare('DELETE FROM tree_files');
  }

  get(path: string): FileRow | undefined {
    return this.#get.get(path);
  }

  /** In path order. */
  all(): FileRow[] {
    return this.#all.all();
  }

  /** Files of this name, in whatever folder; the name without `%` and `_`. In path order. */
  named(name: string): FileRow[] {
    return this.#named.all({ name });
  }

  put({ path, object, mode }: FileRow): void {
    this.#put.run(path, object, mode);
  }

  remove(path: string): void {
    this.#remove.run(path);
  }

  replaceAll(files: Iterable<FileRow>): void {
    this.#clear.run();
    for (const file of files) this.put(file);
  }
}
