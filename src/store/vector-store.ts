import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import { type Database, openDatabase, type PreparedStatement } from './database.ts';
import { explain } from './database-failure.ts';
import { IN_MEMORY } from './in-memory.ts';
import { VECTOR_SCHEMA } from './vector-tables.ts';
import { type VectorUser, VectorUsers } from './vector-users.ts';

/** The hash of a text, and its vector. */
export interface TextVector {
  readonly textHash: Uint8Array;
  /** Has unit length. */
  readonly vector: Float32Array;
}

export interface NearText {
  readonly textHash: Buffer;
  /** The cosine of the two vectors. */
  readonly similarity: number;
}

/** A process that asks for vectors. */
export type Holder = VectorUser;

export interface HoldOptions {
  readonly nowMs: number;
  readonly forMs: number;
  readonly isAlive: (process: Pick<Holder, 'pid' | 'startTicks'>) => boolean;
}

/** How many texts, the nearest by the signs of their vectors, are compared by all their numbers. */
const CANDIDATES = 600;
const MAX_QUESTIONS = 2000;

/**
 * Opens the vectors of one model, and loads sqlite-vec, which nothing else does.
 * @throws UserError if sqlite-vec cannot be loaded here, and as `openDatabase` does
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

/** Why vectors cannot be used on this machine; undefined if they can. */
export async function whyNoVectors(): Promise<string | undefined> {
  try {
    (await openVectorStore(IN_MEMORY, '')).close();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function cannotLoad(error: unknown): never {
  throw new UserError(`sqlite-vec cannot be loaded: ${reasonOf(error)}`, EXIT.failed, { cause: error });
}

/**
 * Vectors of texts, found by nearness. Those of other models in the same file are not touched before {@link VectorStore.removeOtherModels}.
 *
 * The nearest vectors are looked for by the signs of their numbers first (Hamming distance), and the best of those by the numbers. For 50,000 texts of 1,536
 * dimensions this takes 15 ms, and by the numbers alone 125 ms.
 */
export class VectorStore {
  readonly #model: string;
  /** The name of the model in the file: a model that gave vectors of several lengths has a name for each. */
  #name: string;
  readonly #database: Database;
  readonly #users: VectorUsers;
  readonly #rows: PreparedStatement<[{ model: string }], ModelRow>;
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
    this.#model = model;
    this.#database = database;
    this.#users = new VectorUsers(database);
    const ofModel = 'model_id = (SELECT id FROM models WHERE name = ?)';
    this.#rows = database.prepare(`
      SELECT id, name, dimensions FROM models
      WHERE name = @model OR substr(name, 1, length(@model) + 1) = @model || char(10) ORDER BY id DESC`);
    this.#name = this.#rows.get({ model })?.name ?? model;
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
        `SELECT id FROM vectors WHERE model_id = ? ORDER BY vec_distance_hamming(vec_bit(signs), vec_bit(?)), text_hash LIMIT ?`,
      )
      .pluck();
    this.#byNumbers = database.prepare(`
      SELECT text_hash AS textHash, 1 - vec_distance_cosine(embedding, ?) AS similarity
      FROM json_each(?) AS chosen JOIN vectors ON vectors.id = chosen.value JOIN embeddings ON embeddings.id = vectors.id
      ORDER BY similarity DESC, text_hash LIMIT ?`);
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
    return this.#count.get(this.#name) ?? 0;
  }

  has(textHash: Uint8Array): boolean {
    return this.#has.get(this.#name, textHash) !== undefined;
  }

  /**
   * Stores all vectors or none of them.
   * @returns whether their length differs from the stored ones. Then it is another model under the same name, which starts with these vectors alone
   */
  put(vectors: readonly TextVector[]): boolean {
    const [first] = vectors;
    if (first === undefined) return false;
    const name = this.#database
      .transaction(() => {
        const { id: modelId, name } = this.#rowFor(first.vector.length);
        for (const { textHash, vector } of vectors) {
          if (vector.length !== first.vector.length) throw new Error('vectors of one model differ in length');
          const { changes, lastInsertRowid } = this.#put.run(modelId, textHash, signsOf(vector));
          if (changes > 0) this.#putEmbedding.run(lastInsertRowid, bytesOf(vector));
        }
        return name;
      })
      .immediate();
    const isAnew = name !== this.#name;
    this.#name = name;
    return isAnew;
  }

  /** The texts nearest to a vector, nearest first. */
  nearest(vector: Float32Array, limit: number): NearText[] {
    const row = this.#rowOf(vector.length);
    if (row === undefined) return [];
    const chosen = this.#bySigns.all(row.id, signsOf(vector), Math.max(CANDIDATES, 2 * limit));
    return this.#byNumbers.all(bytesOf(vector), JSON.stringify(chosen), limit);
  }

  question(hash: Uint8Array): Float32Array | undefined {
    const bytes = this.#question.get(this.#name, hash);
    // The bytes are copied, since a Float32Array has to begin at a multiple of four bytes.
    return bytes === undefined ? undefined : new Float32Array(Uint8Array.from(bytes).buffer);
  }

  /** Stores the vector of a question. The latest few thousand are kept. @throws UserError if no text has a vector of that length */
  putQuestion(hash: Uint8Array, vector: Float32Array): void {
    this.#database
      .transaction(() => {
        if (this.count() > 0 && this.#rowOf(vector.length) === undefined)
          throw new UserError(
            `${this.#model} gave a vector of ${vector.length} dimensions for the question, and those of texts have other ones: it is another model by now, ` +
              'and texts that change get its vectors; to have all made anew, stop what uses them and remove vectors.sqlite from the state folder',
          );
        this.#putQuestion.run(this.#rowFor(vector.length).id, hash, bytesOf(vector));
        this.#forgetQuestions.run(MAX_QUESTIONS);
      })
      .immediate();
  }

  /**
   * Removes vectors that no text has any more, the oldest first. Some unused ones are kept, since they may be wanted again, for example after a switch of
   * branches.
   * @returns how many were removed
   */
  removeUnused(isUsed: (textHash: Buffer) => boolean, kept: number): number {
    const unused = this.#hashes.all(this.#name).filter(({ textHash }) => !isUsed(textHash));
    const gone = unused.slice(0, Math.max(0, unused.length - kept));
    this.#database.transaction(() => {
      for (const { id } of gone) this.#remove.run(id);
    })();
    return gone.length;
  }

  /** Notes that a process uses these vectors, so that nobody else removes them. To be called again after the length of vectors has changed. */
  use(user: Holder): void {
    this.#users.put(user, this.#name);
  }

  /** Notes that a process no longer uses them. */
  leave(user: Holder): void {
    this.#users.remove(user);
  }

  /** Removes the vectors of other models, except those that another process uses. @param isAlive whether a process still runs */
  removeOtherModels(isAlive: HoldOptions['isAlive']): void {
    this.#database
      .transaction(() => {
        const used = this.#users.models(isAlive).add(this.#name);
        this.#database
          .prepare('DELETE FROM models WHERE name NOT IN (SELECT value FROM json_each(?))')
          .run(JSON.stringify([...used]));
      })
      .immediate();
  }

  /**
   * Whether this holder may ask the API. Only one process at a time may do that for a file, so that no text is asked for twice. A further call extends the
   * hold.
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

  /** Ends the hold of this holder. */
  release({ id }: Holder): void {
    this.#database.prepare('DELETE FROM lease WHERE holder = ?').run(id);
  }

  close(): void {
    this.#database.close();
  }

  /** The row for vectors of a length. If there are several, the name in use comes first. */
  #rowOf(dimensions: number): ModelRow | undefined {
    const rows = this.#rows.all({ model: this.#model }).filter((row) => row.dimensions === dimensions);
    return rows.find(({ name }) => name === this.#name) ?? rows[0];
  }

  #rowFor(dimensions: number): ModelRow {
    const known = this.#rowOf(dimensions);
    if (known !== undefined) return known;
    const name =
      this.#rows.get({ model: this.#model }) === undefined ? this.#name : `${this.#model}\n${dimensions}`;
    return { id: Number(this.#addModel.run(name, dimensions).lastInsertRowid), name, dimensions };
  }
}

interface ModelRow {
  readonly id: number;
  readonly name: string;
  readonly dimensions: number;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** One bit for each number: whether it is above 0. */
function signsOf(vector: Float32Array): Uint8Array {
  const signs = new Uint8Array(Math.ceil(vector.length / 8));
  for (let index = 0; index < vector.length; index += 1) {
    if ((vector[index] ?? 0) > 0) signs[index >> 3] = (signs[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return signs;
}
