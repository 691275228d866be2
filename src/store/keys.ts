import type { NodeKey } from '../core/graph-model.ts';
import type { Database, PreparedStatement } from './database.ts';

/** Node keys as small numbers, the same for as long as the store lives. */
export class KeyTable {
  readonly #find: PreparedStatement<[NodeKey], { id: number }>;
  readonly #add: PreparedStatement<[NodeKey]>;
  readonly #keyOf: PreparedStatement<[number], { key: NodeKey }>;

  constructor(database: Database) {
    this.#find = database.prepare('SELECT id FROM keys WHERE key = ?');
    this.#add = database.prepare('INSERT INTO keys (key) VALUES (?)');
    this.#keyOf = database.prepare('SELECT key FROM keys WHERE id = ?');
  }

  find(key: NodeKey): number | undefined {
    return this.#find.get(key)?.id;
  }

  /** The number of a key, given out now where it is new. */
  intern(key: NodeKey): number {
    return this.find(key) ?? Number(this.#add.run(key).lastInsertRowid);
  }

  keyOf(id: number): NodeKey {
    const row = this.#keyOf.get(id);
    if (row === undefined) throw new Error(`the store has no key ${id}`);
    return row.key;
  }
}
