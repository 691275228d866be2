import type { Database, PreparedStatement } from './database.ts';

export const PIN_SCHEMA = `
  CREATE TABLE pins (
    name TEXT PRIMARY KEY,
    made_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/** A query that is kept as a folder of what it finds. */
export interface PinRow {
  /** The folder's name: the query as the one codec of names writes it. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly madeMs: number;
}

/** Pinned queries of one state folder. Changes are to be made inside a transaction. */
export class PinTable {
  readonly #all: PreparedStatement<[], PinRow>;
  readonly #add: PreparedStatement<[string, number]>;
  readonly #remove: PreparedStatement<[string]>;

  constructor(database: Database) {
    this.#all = database.prepare('SELECT name, made_ms AS madeMs FROM pins ORDER BY name');
    this.#add = database.prepare('INSERT OR IGNORE INTO pins (name, made_ms) VALUES (?, ?)');
    this.#remove = database.prepare('DELETE FROM pins WHERE name = ?');
  }

  /** By name, in code points. */
  all(): PinRow[] {
    return this.#all.all();
  }

  /** @returns whether it was not there */
  add(name: string, madeMs: number): boolean {
    return this.#add.run(name, madeMs).changes > 0;
  }

  /** @returns whether it was there */
  remove(name: string): boolean {
    return this.#remove.run(name).changes > 0;
  }
}
