import { reasonOf, UserError } from '../core/errors.ts';
import { type Database, explain, openDatabase, type PreparedStatement } from './database.ts';
import { VECTOR_SCHEMA } from './vector-tables.ts';

/** A text, by its hash, and its vector. */
export interface TextVector {
  readonly textHash: Uint8Array;
  /** Of unit length. */
  readonly vector: Float32Array;
}

export interface NearText {
  readonly textHash: Buffer;
  /** Cosine of the two vectors. */
  readonly similarity: number;
}

/** Who asks for vectors, and the process it belongs to. */
export interface Holder {
  readonly id: string;
  readonly pid: number;
  /** When the process began, in clock ticks since boot: a number reused for another process has another. */
  readonly startTicks: string;
}

export interface HoldOptions {
  readonly nowMs: number;
  readonly forMs: number;
  readonly isAlive: (process: Pick<Holder, 'pid' | 'startTicks'>) => boolean;
}

/** So many texts whose vectors point the same way by their signs are compared by all their numbers. */
const CANDIDATES = 600;
const MAX_QUESTIONS = 2000;

/**
 * Opens the vectors of one model, and loads sqlite-vec, which nothing else does.
 * @throws UserError where sqlite-vec cannot be loaded here, and as `openDatabase` does
 */
export async function openVectorStore(file: string, model: string): Promise<VectorStore> {
  const { getLoadablePath } = await import('sqlite-vec').catch(cannotLoad);
  const database = openDatabase(file, VECTOR_SCHEMA);
  try {
    try {
      database.loadExtension(getLoadablePath());
    } catch (error) {
      throw cannotLoad(error);
    }
    return new VectorStore(database, model);
  } catch (error) {
    database.close();
    throw explain(error, VECTOR_SCHEMA, file);
  }
}

/** Why there can be no vectors on this machine; undefined where there can. */
export async function whyNoVectors(): Promise<string | undefined> {
  try {
    (await openVectorStore(':memory:', '')).close();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function cannotLoad(error: unknown): never {
  throw new UserError(`sqlite-vec cannot be loaded: ${reasonOf(error)}`, 1, { cause: error });
}

/**
 * Vectors of texts, found by nearness. Those of other models in the same file are left alone until {@link VectorStore.removeOtherModels}.
 *
 * The nearest are looked for by the signs of their numbers first (Hamming distance), and the best of those by the numbers: 50,000 texts of 1,536
 * dimensions take 15 ms so, and 125 ms by numbers alone.
 */
export class VectorStore {
  readonly model: string;
  readonly #database: Database;
  readonly #modelRow: PreparedStatement<[string], { id: number; dimensions: number }>;
  readonly #addModel: PreparedStatement<[string, number]>;
  readonly #count: PreparedStatement<[string], number>;
  readonly #has: PreparedStatement<[string, Uint8Array], number>;
  readonly #put: PreparedStatement<[number, Uint8Array, Uint8Array]>;
  readonly #putEmbedding: PreparedStatement<[number | bigint, Uint8Array]>;
  readonly #bySigns: PreparedStatement<[number, Uint8Array, number], number>;
  readonly #byNumbers: PreparedStatement<[Uint8Array, string, number], NearText>;
  readonly #hashes: PreparedStatement<[string], { id: number; textHash: Buffer }>;
  readonly #remove: PreparedStatement<[number]>;
  readonly #question: PreparedStatement<[string, Uint8Array], Buffer>;
  readonly #putQuestion: PreparedStatement<[number, Uint8Array, Uint8Array]>;
  readonly #forgetQuestions: PreparedStatement<[number]>;

  constructor(database: Database, model: string) {
    this.model = model;
    this.#database = database;
    const ofModel = 'model_id = (SELECT id FROM models WHERE name = ?)';
    this.#modelRow = database.prepare('SELECT id, dimensions FROM models WHERE name = ?');
    this.#addModel = database.prepare('INSERT INTO models (name, dimensions) VALUES (?, ?)');
    this.#count = database.prepare<[string], number>(`SELECT count(*) FROM vectors WHERE ${ofModel}`).pluck();
    this.#has = database
      .prepare<[string, Uint8Array], number>(`SELECT 1 FROM vectors WHERE ${ofModel} AND text_hash = ?`)
      .pluck();
    this.#put = database.prepare(
      'INSERT INTO vectors (model_id, text_hash, signs) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#putEmbedding = database.prepare('INSERT INTO embeddings (id, embedding) VALUES (?, ?)');
    this.#bySigns = database
      .prepare<[number, Uint8Array, number], number>(
        `SELECT id FROM vectors WHERE model_id = ? ORDER BY vec_distance_hamming(vec_bit(signs), vec_bit(?)), id LIMIT ?`,
      )
      .pluck();
    this.#byNumbers = database.prepare(`
      SELECT text_hash AS textHash, 1 - vec_distance_cosine(embedding, ?) AS similarity
      FROM json_each(?) AS chosen JOIN vectors ON vectors.id = chosen.value JOIN embeddings ON embeddings.id = vectors.id
      ORDER BY similarity DESC, vectors.id LIMIT ?`);
    this.#hashes = database.prepare(
      `SELECT id, text_hash AS textHash FROM vectors WHERE ${ofModel} ORDER BY id`,
    );
    this.#remove = database.prepare('DELETE FROM vectors WHERE id = ?');
    this.#question = database
      .prepare<[string, Uint8Array], Buffer>(
        `SELECT embedding FROM questions WHERE ${ofModel} AND question_hash = ?`,
      )
      .pluck();
    this.#putQuestion = database.prepare(
      'INSERT OR REPLACE INTO questions (model_id, question_hash, embedding) VALUES (?, ?, ?)',
    );
    this.#forgetQuestions = database.prepare(
      'DELETE FROM questions WHERE id <= (SELECT max(id) FROM questions) - ?',
    );
  }

  /** How many texts have a vector. */
  count(): number {
    return this.#count.get(this.model) ?? 0;
  }

  has(textHash: Uint8Array): boolean {
    return this.#has.get(this.model, textHash) !== undefined;
  }

  /** All or none of them. @throws UserError where they have not as many dimensions as those that are there */
  put(vectors: readonly TextVector[]): void {
    const [first] = vectors;
    if (first === undefined) return;
    this.#database
      .transaction(() => {
        const modelId = this.#modelFor(first.vector.length);
        for (const { textHash, vector } of vectors) {
          if (vector.length !== first.vector.length) throw new Error('vectors of one model differ in length');
          const { changes, lastInsertRowid } = this.#put.run(modelId, textHash, signsOf(vector));
          if (changes > 0) this.#putEmbedding.run(lastInsertRowid, bytesOf(vector));
        }
      })
      .immediate();
  }

  /** The texts nearest to a vector, nearest first. */
  nearest(vector: Float32Array, limit: number): NearText[] {
    const row = this.#modelRow.get(this.model);
    if (row === undefined || row.dimensions !== vector.length) return [];
    const chosen = this.#bySigns.all(row.id, signsOf(vector), Math.max(CANDIDATES, 2 * limit));
    return this.#byNumbers.all(bytesOf(vector), JSON.stringify(chosen), limit);
  }

  question(hash: Uint8Array): Float32Array | undefined {
    const bytes = this.#question.get(this.model, hash);
    // A copy, since numbers of four bytes are to begin where four bytes do.
    return bytes === undefined ? undefined : new Float32Array(Uint8Array.from(bytes).buffer);
  }

  /** The latest some thousand are kept. */
  putQuestion(hash: Uint8Array, vector: Float32Array): void {
    this.#database
      .transaction(() => {
        this.#putQuestion.run(this.#modelFor(vector.length), hash, bytesOf(vector));
        this.#forgetQuestions.run(MAX_QUESTIONS);
      })
      .immediate();
  }

  /**
   * Removes vectors that no text has any more, the oldest first, but for as many as may be wanted again, as after a change of the branch.
   * @returns how many
   */
  removeUnused(isUsed: (textHash: Buffer) => boolean, kept: number): number {
    const unused = this.#hashes.all(this.model).filter(({ textHash }) => !isUsed(textHash));
    const gone = unused.slice(0, Math.max(0, unused.length - kept));
    this.#database.transaction(() => {
      for (const { id } of gone) this.#remove.run(id);
    })();
    return gone.length;
  }

  removeOtherModels(): void {
    this.#database.prepare('DELETE FROM models WHERE name <> ?').run(this.model);
  }

  /**
   * Whether this holder may ask the API, which one at a time does for a file: no text is asked for twice. Asked again, it goes on holding.
   * @param isAlive whether a process still runs
   */
  hold({ id, pid, startTicks }: Holder, { nowMs, forMs, isAlive }: HoldOptions): boolean {
    const find = this.#database.prepare<[], Holder & { untilMs: number }>(
      'SELECT holder AS id, pid, start_ticks AS startTicks, until_ms AS untilMs FROM lease',
    );
    return this.#database
      .transaction(() => {
        const other = find.get();
        if (other && other.id !== id && other.untilMs > nowMs && isAlive(other)) return false;
        this.#database
          .prepare('INSERT OR REPLACE INTO lease VALUES (1, ?, ?, ?, ?)')
          .run(id, pid, startTicks, nowMs + forMs);
        return true;
      })
      .immediate();
  }

  /** Gives up what it held. */
  release({ id }: Holder): void {
    this.#database.prepare('DELETE FROM lease WHERE holder = ?').run(id);
  }

  close(): void {
    this.#database.close();
  }

  #modelFor(dimensions: number): number {
    const row = this.#modelRow.get(this.model);
    if (row === undefined) return Number(this.#addModel.run(this.model, dimensions).lastInsertRowid);
    if (row.dimensions === dimensions) return row.id;
    throw new UserError(
      `${this.model} gave vectors of ${dimensions} dimensions, and those that are kept have ${row.dimensions}; name the model otherwise, or remove vectors.sqlite from the state folder`,
    );
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A bit for each number: whether it is over 0. */
function signsOf(vector: Float32Array): Uint8Array {
  const signs = new Uint8Array(Math.ceil(vector.length / 8));
  for (let index = 0; index < vector.length; index += 1) {
    if ((vector[index] ?? 0) > 0) signs[index >> 3] = (signs[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return signs;
}
