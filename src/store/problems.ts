import type { Problem } from '../core/graph-model.ts';
import type { Database, PreparedStatement } from './database.ts';

/** A problem of the docs, and where it is. */
export interface PlacedProblem extends Problem {
  /** Relative to the docs root. */
  readonly path: string;
}

/** Where a problem comes from: a walk over the docs root, reading a document, or asking a model about it. */
type Origin = 'scan' | 'document' | 'model';

/** The problems of the docs, as of the last indexing. */
export class ProblemTable {
  readonly #all: PreparedStatement<[], PlacedProblem>;
  readonly #latest: PreparedStatement<[number], PlacedProblem>;
  readonly #count: PreparedStatement<[], { total: number }>;
  readonly #ofOrigin: PreparedStatement<[Origin], PlacedProblem>;
  readonly #documents: PreparedStatement<[], { path: string }>;
  readonly #clearDocument: PreparedStatement<[string]>;
  readonly #clearModel: PreparedStatement<[]>;
  readonly #clearScan: PreparedStatement<[]>;
  readonly #add: PreparedStatement<[string, Origin, number, string, string]>;

  constructor(database: Database) {
    const select = 'SELECT path, line, code, message FROM problems';
    this.#all = database.prepare(`${select} ORDER BY path, line, code, message`);
    this.#latest = database.prepare(
      `${select} ORDER BY path DESC, line DESC, code DESC, message DESC LIMIT ?`,
    );
    this.#count = database.prepare('SELECT count(*) AS total FROM problems');
    this.#ofOrigin = database.prepare(`${select} WHERE origin = ? ORDER BY path, line, code, message`);
    this.#documents = database.prepare(
      "SELECT DISTINCT path FROM problems WHERE origin IN ('document', 'model')",
    );
    this.#clearDocument = database.prepare(
      "DELETE FROM problems WHERE path = ? AND origin IN ('document', 'model')",
    );
    this.#clearModel = database.prepare("DELETE FROM problems WHERE origin = 'model'");
    this.#clearScan = database.prepare("DELETE FROM problems WHERE origin = 'scan'");
    this.#add = database.prepare(
      'INSERT INTO problems (path, origin, line, code, message) VALUES (?, ?, ?, ?, ?)',
    );
  }

  /** All problems in path and line order. */
  all(): PlacedProblem[] {
    return this.#all.all();
  }

  /** The last problems in this order. */
  latest(limit: number): PlacedProblem[] {
    return this.#latest.all(limit).reverse();
  }

  count(): number {
    return this.#count.get()?.total ?? 0;
  }

  ofScan(): PlacedProblem[] {
    return this.#ofOrigin.all('scan');
  }

  /** Documents with problems from reading them, or from asking a model about them. */
  ofDocuments(): string[] {
    return this.#documents.all().map(({ path }) => path);
  }

  /** Replaces the problems from asking a model. Those of a single document are removed when it is read again. */
  replaceOfModel(problems: readonly PlacedProblem[]): void {
    this.#clearModel.run();
    for (const { path, line, code, message } of problems) this.#add.run(path, 'model', line, code, message);
  }

  /** Replaces the problems from reading one document. */
  replaceOfDocument(path: string, problems: readonly Problem[]): void {
    this.#clearDocument.run(path);
    for (const { line, code, message } of problems) this.#add.run(path, 'document', line, code, message);
  }

  /** Replaces the problems of the last walk. */
  replaceOfScan(problems: readonly PlacedProblem[]): void {
    this.#clearScan.run();
    for (const { path, line, code, message } of problems) this.#add.run(path, 'scan', line, code, message);
  }
}
