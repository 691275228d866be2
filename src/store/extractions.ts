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
  /** How many the document has. */
  readonly pieces: number;
  /** JSON. */
  readonly answer: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined where nobody knows. */
  readonly costUsd: number | undefined;
  readonly answeredMs: number;
}

/** Who is asking about a document now. */
export interface Claim {
  /** Another one in each process. */
  readonly owner: string;
  /** It counts no more from then on, whatever became of its owner. Milliseconds since 1970. */
  readonly untilMs: number;
}

/** All that a model answered about a document. */
export interface KeptExtraction {
  readonly model: string;
  /** JSON of each piece, in order. */
  readonly answers: readonly string[];
  /** Another one stands for other answers. */
  readonly stamp: string;
}

/** Costs money: kept when the index is made anew. */
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

/** What models answered about documents, by content: whoever indexes a document takes it in. */
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

  /** Whether documents are indexed with what models answered. */
  isUsed(): boolean {
    return this.#meta.get('is_used') === 1;
  }

  /** From now on documents are indexed with what models answered, or without. */
  use(isUsed: boolean): void {
    if (isUsed === this.isUsed()) return;
    this.#database
      .transaction(() => {
        this.#setMeta.run(Number(isUsed), 'is_used');
        this.#grow();
      })
      .immediate();
  }

  /** Grows with each change of what documents are indexed with. */
  revision(): number {
    return this.#meta.get('revision') ?? 0;
  }

  /** Kept at once, whatever happens next. */
  put(key: ExtractionKey, kept: KeptAnswer): void {
    this.#database
      .transaction(() => {
        this.#put.run({ ...key, ...kept, costUsd: kept.costUsd ?? null });
        this.#grow();
      })
      .immediate();
  }

  /** Numbers of the pieces that were answered, in no order. */
  answeredPieces({ sha256, promptVersion, model }: ExtractionKey): number[] {
    return this.#pieces.all({ sha256, promptVersion, model });
  }

  /** Takes it upon an owner to ask about a document. @returns false where somebody else is asking */
  claim({ sha256, promptVersion, model }: ExtractionKey, claim: Claim, nowMs: number): boolean {
    return this.#claim.run({ sha256, promptVersion, model, ...claim, nowMs }).changes > 0;
  }

  /** Has all claims of an owner count until then. */
  renewClaims(claim: Claim): void {
    this.#renew.run(claim);
  }

  /** Others may ask, or need not, since it is answered. */
  release({ sha256, promptVersion, model }: ExtractionKey, owner: string): void {
    this.#release.run({ sha256, promptVersion, model, owner });
  }

  /** What was answered last about all of a content, whichever model did; undefined where none did, or answers are not used. */
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

/** For who only reads; undefined where no model was asked ever. @throws UserError as `openDatabase` */
export function openExtractionsToRead(file: string): ExtractionStore | undefined {
  if (!existsSync(file)) return undefined;
  if (isOlder(file, EXTRACTION_SCHEMA)) openDatabase(file, EXTRACTION_SCHEMA).close();
  return new ExtractionStore(openDatabase(file, EXTRACTION_SCHEMA, { readOnly: true }));
}
