import type { Database, PreparedStatement } from './database.ts';

/** A commit whose graph is known, with the size of the graph. */
export interface CommitRow {
  /** The full name, in hexadecimal. */
  readonly commit: string;
  /** The revision of the graph that belongs to the commit. */
  readonly revision: number;
  /** A stamp of how the docs were read. The revision is the commit's graph only for a reader with the same stamp. */
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
  /** The name of the blob, in hexadecimal. */
  readonly object: string;
  /** The mode as in a tree of Git. */
  readonly mode: string;
  /** 1 if the docs show the file, otherwise 0. */
  readonly isShown: number;
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
    mode TEXT NOT NULL,
    is_shown INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tree_files_that_ignore ON tree_files (path, object, mode, is_shown) WHERE path LIKE '%ignore';
`;

const COLUMNS = `name AS "commit", reading, revision, committed_ms AS committedMs, subject, documents, nodes, edges`;

/** The revisions of the graph that belong to commits. */
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

  /** All commits, latest first. A commit that was read in several ways comes several times. */
  all(): CommitRow[] {
    return this.#all.all();
  }

  /** Adds a row. An existing row of the same commit and reading stays as it is. */
  put(row: CommitRow): void {
    this.#put.run(row);
  }
}

/** Every file of the docs, images and others included, at the commit that the graph stands at. */
export class FileTable {
  readonly #paths: PreparedStatement<[number], string>;
  readonly #submodules: PreparedStatement<[], string>;
  readonly #thatIgnore: PreparedStatement<[], FileRow>;
  readonly #put: PreparedStatement<[FileRow]>;
  readonly #remove: PreparedStatement<[string]>;
  readonly #clear: PreparedStatement<[]>;

  constructor(database: Database) {
    this.#paths = database
      .prepare<[number], string>('SELECT path FROM tree_files WHERE is_shown = ? ORDER BY path')
      .pluck();
    this.#submodules = database
      .prepare<[], string>("SELECT path FROM tree_files WHERE mode = '160000'")
      .pluck();
    this.#thatIgnore = database.prepare(
      "SELECT path, object, mode, is_shown AS isShown FROM tree_files WHERE path LIKE '%ignore'",
    );
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO tree_files VALUES (@path, @object, @mode, @isShown)',
    );
    this.#remove = database.prepare('DELETE FROM tree_files WHERE path = ?');
    this.#clear = database.prepare('DELETE FROM tree_files');
  }

  /** Paths of the files that the docs show, in path order. */
  shown(): string[] {
    return this.#paths.all(1);
  }

  /** Paths of the files that the docs do not show, in path order. */
  unshown(): string[] {
    return this.#paths.all(0);
  }

  /** Paths of submodules, in no particular order. A commit says nothing of their content. */
  submodules(): string[] {
    return this.#submodules.all();
  }

  /** Files that are ignore files by their name, in no particular order. */
  thatIgnore(): FileRow[] {
    return this.#thatIgnore.all();
  }

  put(file: FileRow): void {
    this.#put.run(file);
  }

  remove(path: string): void {
    this.#remove.run(path);
  }

  replaceAll(files: Iterable<FileRow>): void {
    this.#clear.run();
    for (const file of files) this.put(file);
  }
}
