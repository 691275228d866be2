import { existsSync } from 'node:fs';
import { type Database, isOlder, openDatabase, type PreparedStatement, type Schema } from './database.ts';

/** What a model was asked about: one version of a document's content, by one prompt. */
export interface ExtractionKey {
  readonly sha256: string;
  readonly promptVersion: number;
  readonly model: string;
}

/** What a model answered to one piece of a document. */
export interface KeptAnswer {
  readonly piece: number;
  /** How many pieces the document has. */
  readonly pieces: number;
  /** JSON. */
  readonly answer: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined if nobody knows. */
  readonly costUsd: number | undefined;
  readonly answeredMs: number;
}

/** A claim to be the one who asks a model about a document. */
export interface Claim {
  /** Differs for each process. */
  readonly owner: string;
  /** When the claim lapses, whatever has become of its owner. Milliseconds since 1970. */
  readonly untilMs: number;
}

/** Everything that a model has answered about a document. */
export interface KeptExtraction {
  readonly model: string;
  /** The answer to each piece as JSON, in order. */
  readonly answers: readonly string[];
  /** Equal for equal answers only. */
  readonly stamp: string;
}

/** Answers cost money, so they are kept when the index is made anew. */
export const EXTRACTION_SCHEMA: Schema = {
  what: 'file of what models answered',
  migrations: [
    `
    CREATE TABLE answers (
      sha256 TEXT NOT NULL,
      prompt_version INTEGER NOT NULL,
      model TEXT NOT NULL,
      piece INTEGER NOT NULL,
      pieces INTEGER NOT NULL,
      answer TEXT NOT NULL,
      input_tokens INTEGER NOT NULL,
      output_tokens INTEGER NOT NULL,
      cost_usd REAL,
      answered_ms INTEGER NOT NULL,
      PRIMARY KEY (sha256, prompt_version, model, piece)
    ) WITHOUT ROWID;
    CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO meta VALUES ('is_used', 1), ('revision', 0);
    `,
    `
    CREATE TABLE claims (
      sha256 TEXT NOT NULL,
      prompt_version INTEGER NOT NULL,
      model TEXT NOT NULL,
      owner TEXT NOT NULL,
      until_ms INTEGER NOT NULL,
      PRIMARY KEY (sha256, prompt_version, model)
    ) WITHOUT ROWID;
    `,
  ],
  wayOutOfDamage: '"kgraphfs check --repair" puts it aside; the next "kgraphfs build --llm" asks again',
  wayOutOfNewer: 'or use another --state folder',
};

/** Answers of models about documents, by content of the document. They are used when a document of that content is indexed. */
export class ExtractionStore {
  readonly #database: Database;
  readonly #put: PreparedStatement<
    [ExtractionKey & Omit<KeptAnswer, 'costUsd'> & { readonly costUsd: number | null }]
  >;
  readonly #pieces: PreparedStatement<[ExtractionKey], number>;
  readonly #find: PreparedStatement<[string, number], { model: string; answers: string; answeredMs: number }>;
  readonly #claim: PreparedStatement<[ExtractionKey & Claim & { readonly nowMs: number }]>;
  readonly #renew: PreparedStatement<[Claim]>;
  readonly #release: PreparedStatement<[ExtractionKey & Pick<Claim, 'owner'>]>;
  readonly #meta: PreparedStatement<[string], number>;
  readonly #setMeta: PreparedStatement<[number, string]>;

  constructor(database: Database) {
    this.#database = database;
    this.#put = database.prepare(`INSERT OR REPLACE INTO answers
      VALUES (@sha256, @promptVersion, @model, @piece, @pieces, @answer, @inputTokens, @outputTokens, @costUsd, @answeredMs)`);
    this.#pieces = database
      .prepare<[ExtractionKey], number>(
        `SELECT piece FROM answers WHERE sha256 = @sha256 AND prompt_version = @promptVersion AND model = @model`,
      )
      .pluck();
    this.#find = database.prepare(`
      SELECT model, json_group_array(answer ORDER BY piece) AS answers, max(answered_ms) AS answeredMs
      FROM answers WHERE sha256 = ? AND prompt_version = ?
      GROUP BY model HAVING count(*) = max(pieces) ORDER BY answeredMs DESC, model LIMIT 1`);
    this.#claim = database.prepare(`
      INSERT INTO claims VALUES (@sha256, @promptVersion, @model, @owner, @untilMs)
      ON CONFLICT DO UPDATE SET owner = @owner, until_ms = @untilMs WHERE owner = @owner OR until_ms <= @nowMs`);
    this.#renew = database.prepare('UPDATE claims SET until_ms = @untilMs WHERE owner = @owner');
    this.#release = database.prepare(
      'DELETE FROM claims WHERE sha256 = @sha256 AND prompt_version = @promptVersion AND model = @model AND owner = @owner',
    );
    this.#meta = database.prepare<[string], number>('SELECT value FROM meta WHERE name = ?').pluck();
    this.#setMeta = database.prepare('UPDATE meta SET value = ? WHERE name = ?');
  }

  /** Whether documents are indexed with the answers of models. */
  isUsed(): boolean {
    return this.#meta.get('is_used') === 1;
  }

  /** Decides whether documents are indexed with the answers of models from now on. */
  use(isUsed: boolean): void {
    if (isUsed === this.isUsed()) return;
    this.#database
      .transaction(() => {
        this.#setMeta.run(Number(isUsed), 'is_used');
        this.#grow();
      })
      .immediate();
  }

  /** Grows with each change of the answers that documents are indexed with. */
  revision(): number {
    return this.#meta.get('revision') ?? 0;
  }

  /** Stores an answer at once, whatever happens next. */
  put(key: ExtractionKey, kept: KeptAnswer): void {
    this.#database
      .transaction(() => {
        this.#put.run({ ...key, ...kept, costUsd: kept.costUsd ?? null });
        this.#grow();
      })
      .immediate();
  }

  /** The numbers of the pieces that were answered, in no particular order. */
  answeredPieces({ sha256, promptVersion, model }: ExtractionKey): number[] {
    return this.#pieces.all({ sha256, promptVersion, model });
  }

  /** Claims for an owner to ask about a document. @returns false if somebody else is asking */
  claim({ sha256, promptVersion, model }: ExtractionKey, claim: Claim, nowMs: number): boolean {
    return this.#claim.run({ sha256, promptVersion, model, ...claim, nowMs }).changes > 0;
  }

  /** Extends all claims of an owner to a time. */
  renewClaims(claim: Claim): void {
    this.#renew.run(claim);
  }

  /** Gives a claim up: others may ask, or need not, since there is an answer now. */
  release({ sha256, promptVersion, model }: ExtractionKey, owner: string): void {
    this.#release.run({ sha256, promptVersion, model, owner });
  }

  /** The latest answers about the whole of a content, from whichever model; undefined if there are none, or answers are not used. */
  find(sha256: string, promptVersion: number): KeptExtraction | undefined {
    if (!this.isUsed()) return undefined;
    const row = this.#find.get(sha256, promptVersion);
    if (row === undefined) return undefined;
    const answers: string[] = JSON.parse(row.answers);
    return { model: row.model, answers, stamp: `${promptVersion}:${row.answeredMs}:${row.model}` };
  }

  close(): void {
    this.#database.close();
  }

  #grow(): void {
    this.#setMeta.run(this.revision() + 1, 'revision');
  }
}

/** @throws UserError as `openDatabase` */
export function openExtractionStore(file: string): ExtractionStore {
  return new ExtractionStore(openDatabase(file, EXTRACTION_SCHEMA));
}

/** Opens the file for reading only; undefined if no model was ever asked. @throws UserError as `openDatabase` */
export function openExtractionsToRead(file: string): ExtractionStore | undefined {
  if (!existsSync(file)) return undefined;
  if (isOlder(file, EXTRACTION_SCHEMA)) openDatabase(file, EXTRACTION_SCHEMA).close();
  return new ExtractionStore(openDatabase(file, EXTRACTION_SCHEMA, { readOnly: true }));
}
