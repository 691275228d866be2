import type { Database, PreparedStatement } from './database.ts';

/** A stretch of a source that is found, ranked and shown as one. */
export interface Passage {
  /** 1-based, in the source. */
  readonly line: number;
  /** Inclusive. */
  readonly endLine: number;
  /** The headings it stands under, outermost first, joined by ` › `; empty where there is none. */
  readonly headings: string;
  /** Terms of the source's title and name. Joined by spaces, as all terms here. */
  readonly titleTerms: string;
  readonly headingTerms: string;
  readonly bodyTerms: string;
}

export interface FoundPassage extends Passage {
  readonly id: number;
  readonly sourceId: number;
}

/** The tables, for a schema's migration. Terms are made by `src/words`, so SQLite is only to cut at spaces. */
export const PASSAGE_TABLES = `
  CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    headings TEXT NOT NULL
  );
  CREATE INDEX passages_by_source ON passages (source_id);
  CREATE VIRTUAL TABLE passage_terms USING fts5 (title, headings, body, tokenize = 'ascii');
  CREATE VIRTUAL TABLE passage_vocabulary USING fts5vocab ('passage_terms', 'row');
  CREATE TRIGGER passage_terms_go AFTER DELETE ON passages BEGIN
    DELETE FROM passage_terms WHERE rowid = old.id;
  END;
`;

const MATCHES = `SELECT passages.id AS id, source_id AS sourceId, line, end_line AS endLine, passages.headings AS headings,
  passage_terms.title AS titleTerms, passage_terms.headings AS headingTerms, body AS bodyTerms
  FROM passage_terms JOIN passages ON passages.id = passage_terms.rowid`;

/** Passages of sources, found by the terms they hold. */
export class PassageTable {
  readonly #match: PreparedStatement<[string, number], FoundPassage>;
  readonly #frequency: PreparedStatement<[string], number>;
  readonly #count: PreparedStatement<[], number>;
  readonly #put: PreparedStatement<[number, number, number, string], { id: number }>;
  readonly #putTerms: PreparedStatement<[number, string, string, string]>;
  readonly #removeOfSource: PreparedStatement<[number]>;

  constructor(database: Database) {
    // The weights are those of `src/retrieval/relevance.ts`, which ranks anew what this brings.
    this.#match = database.prepare(`${MATCHES} WHERE passage_terms MATCH ?
      ORDER BY bm25(passage_terms, 2, 2, 1), passages.id LIMIT ?`);
    this.#frequency = database
      .prepare<[string], number>('SELECT doc FROM passage_vocabulary WHERE term = ?')
      .pluck();
    this.#count = database.prepare<[], number>('SELECT count(*) FROM passages').pluck();
    this.#put = database.prepare(
      'INSERT INTO passages (source_id, line, end_line, headings) VALUES (?, ?, ?, ?) RETURNING id',
    );
    this.#putTerms = database.prepare(
      'INSERT INTO passage_terms (rowid, title, headings, body) VALUES (?, ?, ?, ?)',
    );
    this.#removeOfSource = database.prepare('DELETE FROM passages WHERE source_id = ?');
  }

  /** Passages that hold any of the terms, those with the most and rarest of them first. */
  match(terms: readonly string[], limit: number): FoundPassage[] {
    if (terms.length === 0) return [];
    return this.#match.all(terms.map((term) => `"${term}"`).join(' OR '), limit);
  }

  /** In how many passages a term stands. */
  frequency(term: string): number {
    return this.#frequency.get(term) ?? 0;
  }

  count(): number {
    return this.#count.get() ?? 0;
  }

  /** Makes these all the passages of a source. */
  replace(sourceId: number, passages: readonly Passage[]): void {
    this.#removeOfSource.run(sourceId);
    for (const { line, endLine, headings, titleTerms, headingTerms, bodyTerms } of passages) {
      const row = this.#put.get(sourceId, line, endLine, headings);
      if (row !== undefined) this.#putTerms.run(row.id, titleTerms, headingTerms, bodyTerms);
    }
  }
}
