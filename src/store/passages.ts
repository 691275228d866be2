import type { Database, PreparedStatement } from './database.ts';

/** A part of a source that is found, ranked and shown as a unit. Terms are made by `src/words` and joined by spaces. */
export interface Passage {
  /** The first line in the source, from 1; 0 if the source has no lines. */
  readonly line: number;
  /** The last line, inclusive. */
  readonly endLine: number;
  /** The headings above it, outermost first, joined by `BETWEEN_HEADINGS`; empty if there are none. */
  readonly headings: string;
  /** Terms of the source's title and name. */
  readonly titleTerms: string;
  readonly headingTerms: string;
  /** Terms of the body, in the order of the text. */
  readonly bodyTerms: string;
  /** Each term of the body once; `term:n` if it occurs `n` times, `n` > 1. */
  readonly bodyBag: string;
  /** How many terms the body has. */
  readonly bodyLength: number;
  /** A hash of title, headings and text: equal for all passages that say the same. */
  readonly textHash: Uint8Array;
}

/** The ids of the passages just before and after this one, if passages follow one another as the turns of a conversation do. */
export interface PassageNeighbours {
  readonly before: number | null;
  readonly after: number | null;
}

/** A passage as it is stored: the terms of its body are counted, and no longer in order. */
export interface FoundPassage extends Omit<Passage, 'bodyTerms' | 'textHash'>, PassageNeighbours {
  readonly id: number;
  readonly sourceId: number;
}

/** Which passages may be found. A condition that is not given excludes nothing. */
export interface MatchOptions {
  readonly limit: number;
  /** A condition over the columns of `passages` and of the table of its sources, with values for its `?`. */
  readonly where?: { readonly sql: string; readonly values: readonly (string | number)[] };
}

/** A text that is to be embedded, by its hash. */
export interface HashedPassage {
  readonly id: number;
  readonly sourceId: number;
  readonly line: number;
  readonly endLine: number;
  readonly headings: string;
  readonly textHash: Buffer;
}

const NAME = /^[a-z_]+$/;

/**
 * The tables, for a schema's migration. Passages belong to the rows of a table with columns `path` and `kind`, and are removed with them. FTS5 is told to split
 * at spaces only, and stores neither a copy of the terms nor their order; where the order matters, it is taken from the text itself.
 */
export function passageTables(sourceTable: string): string {
  if (!NAME.test(sourceTable)) throw new Error(`${sourceTable} is no name of a table`);
  return `
  CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES ${sourceTable} (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    headings TEXT NOT NULL,
    title_terms TEXT NOT NULL,
    heading_terms TEXT NOT NULL,
    body_length INTEGER NOT NULL,
    body_bag TEXT NOT NULL,
    text_hash BLOB NOT NULL,
    before_id INTEGER,
    after_id INTEGER
  );
  CREATE INDEX passages_by_source ON passages (source_id);
  CREATE INDEX passages_by_text ON passages (text_hash);
  CREATE VIRTUAL TABLE passage_terms USING fts5 (
    title, headings, body, tokenize = 'ascii', content = '', contentless_delete = 1, detail = column
  );
  CREATE VIRTUAL TABLE passage_vocabulary USING fts5vocab ('passage_terms', 'row');
  CREATE TRIGGER passage_terms_go AFTER DELETE ON passages BEGIN
    DELETE FROM passage_terms WHERE rowid = old.id;
  END;
`;
}

/** The columns of a {@link FoundPassage}. */
export const FOUND = `passages.id AS id, source_id AS sourceId, line, end_line AS endLine, passages.headings AS headings,
  title_terms AS titleTerms, heading_terms AS headingTerms, body_bag AS bodyBag, body_length AS bodyLength, before_id AS before, after_id AS after`;
const HASHED = 'id, source_id AS sourceId, line, end_line AS endLine, headings, text_hash AS textHash';

type NewRow = [
  sourceId: number,
  line: number,
  endLine: number,
  headings: string,
  titleTerms: string,
  headingTerms: string,
  bodyLength: number,
  bodyBag: string,
  textHash: Uint8Array,
];

/** Passages of sources, found by their terms. */
export class PassageTable {
  readonly #database: Database;
  readonly #sourceTable: string;
  readonly #matches = new Map<string, PreparedStatement<(string | number)[], FoundPassage>>();
  readonly #frequency: PreparedStatement<[string], number>;
  readonly #beginning: PreparedStatement<[string, string, number], { term: string; frequency: number }>;
  readonly #count: PreparedStatement<[], number>;
  readonly #ofSource: PreparedStatement<[number], FoundPassage>;
  readonly #byId: PreparedStatement<[number], FoundPassage>;
  readonly #hashesAfter: PreparedStatement<[number, number], HashedPassage>;
  readonly #hashed: PreparedStatement<[number], HashedPassage>;
  readonly #withText: PreparedStatement<[Uint8Array], Pick<HashedPassage, 'id' | 'sourceId'>>;
  readonly #withoutTerms: PreparedStatement<[], number>;
  readonly #setNeighbours: PreparedStatement<[number | null, number | null, number]>;
  readonly #put: PreparedStatement<NewRow>;
  readonly #putTerms: PreparedStatement<[number | bigint, string, string, string]>;
  readonly #removeOfSource: PreparedStatement<[number]>;

  /** @param sourceTable as for {@link passageTables} */
  constructor(database: Database, sourceTable: string) {
    this.#database = database;
    this.#sourceTable = sourceTable;
    this.#frequency = database
      .prepare<[string], number>('SELECT doc FROM passage_vocabulary WHERE term = ?')
      .pluck();
    this.#beginning = database.prepare(`
      SELECT term, doc AS frequency FROM passage_vocabulary WHERE term >= ? AND term < ? ORDER BY doc DESC, term LIMIT ?`);
    this.#count = database.prepare<[], number>('SELECT count(*) FROM passages').pluck();
    this.#ofSource = database.prepare(`SELECT ${FOUND} FROM passages WHERE source_id = ? ORDER BY id`);
    this.#byId = database.prepare(`SELECT ${FOUND} FROM passages WHERE id = ?`);
    this.#hashesAfter = database.prepare(`SELECT ${HASHED} FROM passages WHERE id > ? ORDER BY id LIMIT ?`);
    this.#hashed = database.prepare(`SELECT ${HASHED} FROM passages WHERE id = ?`);
    this.#withText = database.prepare(`
      SELECT passages.id AS id, source_id AS sourceId FROM passages JOIN ${sourceTable} AS source ON source.id = source_id
      WHERE text_hash = ? ORDER BY source.path, source.kind, passages.id`);
    this.#withoutTerms = database
      .prepare<[], number>(
        'SELECT DISTINCT source_id FROM passages WHERE id NOT IN (SELECT id FROM passage_terms_docsize)',
      )
      .pluck();
    this.#setNeighbours = database.prepare('UPDATE passages SET before_id = ?, after_id = ? WHERE id = ?');
    this.#put = database.prepare(`
      INSERT INTO passages (source_id, line, end_line, headings, title_terms, heading_terms, body_length, body_bag, text_hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#putTerms = database.prepare(
      'INSERT INTO passage_terms (rowid, title, headings, body) VALUES (?, ?, ?, ?)',
    );
    this.#removeOfSource = database.prepare('DELETE FROM passages WHERE source_id = ?');
  }

  /** Passages that contain any of the terms. Those with the most and the rarest terms come first. */
  match(terms: readonly string[], options: MatchOptions): FoundPassage[] {
    return this.matchExpression(terms.map((term) => `"${term}"`).join(' OR '), options);
  }

  /** @param expression an expression of FTS5 over the columns `title`, `headings` and `body`; an empty one finds nothing */
  matchExpression(expression: string, { limit, where }: MatchOptions): FoundPassage[] {
    if (expression === '') return [];
    return this.#matchWhere(where?.sql ?? '').all(expression, ...(where?.values ?? []), limit);
  }

  /** How many passages contain a term. */
  frequency(term: string): number {
    return this.#frequency.get(term) ?? 0;
  }

  /** Terms that begin like this, the most frequent first. */
  termsWith(beginning: string, limit: number): { term: string; frequency: number }[] {
    return this.#beginning.all(beginning, `${beginning}\u{10ffff}`, limit);
  }

  count(): number {
    return this.#count.get() ?? 0;
  }

  get(id: number): FoundPassage | undefined {
    return this.#byId.get(id);
  }

  /** The passages of a source, in the order of the text. */
  ofSource(sourceId: number): FoundPassage[] {
    return this.#ofSource.all(sourceId);
  }

  /** Passages with an id above this one, in the order of ids, with the hash of their text. */
  hashedAfter(id: number, limit: number): HashedPassage[] {
    return this.#hashesAfter.all(id, limit);
  }

  hashed(id: number): HashedPassage | undefined {
    return this.#hashed.get(id);
  }

  /** Sources of passages that cannot be found, since none of their terms are stored. */
  withoutTerms(): number[] {
    return this.#withoutTerms.all();
  }

  /** All passages with exactly this text, in the order of their paths. */
  withText(hash: Uint8Array): Pick<HashedPassage, 'id' | 'sourceId'>[] {
    return this.#withText.all(hash);
  }

  /** Sets the passages before and after a passage. */
  setNeighbours(id: number, { before, after }: PassageNeighbours): void {
    this.#setNeighbours.run(before, after, id);
  }

  /** Replaces all passages of a source. */
  replace(sourceId: number, passages: readonly Passage[]): void {
    this.#removeOfSource.run(sourceId);
    this.add(sourceId, passages);
  }

  /** Adds the passages of a source that has none yet. */
  add(sourceId: number, passages: readonly Passage[]): void {
    for (const passage of passages) {
      const { line, endLine, headings, titleTerms, headingTerms, bodyTerms, bodyBag, bodyLength, textHash } =
        passage;
      // biome-ignore format: the order of the columns
      const { lastInsertRowid } = this.#put.run(sourceId, line, endLine, headings, titleTerms, headingTerms, bodyLength, bodyBag, textHash);
      this.#putTerms.run(lastInsertRowid, titleTerms, headingTerms, bodyTerms);
    }
  }

  #matchWhere(condition: string): PreparedStatement<(string | number)[], FoundPassage> {
    const known = this.#matches.get(condition);
    if (known !== undefined) return known;
    const join = condition === '' ? '' : `JOIN ${this.#sourceTable} ON ${this.#sourceTable}.id = source_id`;
    const and = condition === '' ? '' : `AND (${condition})`;
    // The weights are those of `src/retrieval/relevance.ts`, which ranks the results again.
    const made = this.#database.prepare<(string | number)[], FoundPassage>(`
      SELECT ${FOUND} FROM passage_terms JOIN passages ON passages.id = passage_terms.rowid ${join}
      WHERE passage_terms MATCH ? ${and} ORDER BY bm25(passage_terms, 2, 2, 1), passages.id LIMIT ?`);
    this.#matches.set(condition, made);
    return made;
  }
}
