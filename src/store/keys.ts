import type { NodeKey } from '../core/graph-model.ts';
import type { Database, PreparedStatement } from './database.ts';

const MAX_RECENT = 50_000;

/** Small numbers for node keys, which stay the same for as long as the store lives. */
export class KeyTable {
  /** A cache, since a document names the same few things over and over. */
  readonly #recent = new Map<NodeKey, number>();
  readonly #find: PreparedStatement<[NodeKey], { id: number }>;
  readonly #add: PreparedStatement<[NodeKey]>;
  readonly #keyOf: PreparedStatement<[number], { key: NodeKey }>;
  readonly #last: PreparedStatement<[], { id: number | null }>;

  constructor(database: Database) {
    this.#find = database.prepare('SELECT id FROM keys WHERE key = ?');
    this.#add = database.prepare('INSERT INTO keys (key) VALUES (?)');
    this.#keyOf = database.prepare('SELECT key FROM keys WHERE id = ?');
    this.#last = database.prepare('SELECT max(id) AS id FROM keys');
  }

  /** The number of a key. A new key gets one now. */
  intern(key: NodeKey): number {
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const id = this.#find.get(key)?.id ?? Number(this.#add.run(key).lastInsertRowid);
    if (this.#recent.size >= MAX_RECENT) this.#recent.clear();
    this.#recent.set(key, id);
    return id;
  }

  /** The highest number so far, or 0. Those of new keys will be higher. */
  last(): number {
    return this.#last.get()?.id ?? 0;
  }

  /** The number of a key; undefined if it has none. */
  find(key: NodeKey): number | undefined {
    return this.#find.get(key)?.id;
  }

  /** To be called when a transaction was rolled back: the numbers that it gave out are free again. */
  forgetRecent(): void {
    this.#recent.clear();
  }

  keyOf(id: number): NodeKey {
    const row = this.#keyOf.get(id);
    if (row === undefined) throw new Error(`the store has no key ${id}`);
    return row.key;
  }
}
