import type { Database, PreparedStatement } from './database.ts';

export const PIN_SCHEMA = `
  CREATE TABLE pins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    made_ms INTEGER NOT NULL
  );
`;

/** A query that is kept as a folder of what it finds. */
export interface PinRow {
  /** Stays the pin's when it is renamed, and is never another's. */
  readonly id: number;
  /** The folder's name: the query as the one codec of names writes it. */
  readonly name: string;
  /** When it came to be pinned under this name: milliseconds since 1970. */
  readonly madeMs: number;
}

/** Pinned queries of one state folder. Changes are to be made inside a transaction. */
export class PinTable {
  readonly #all: PreparedStatement<[], PinRow>;
  readonly #add: PreparedStatement<[string, number]>;
  readonly #rename: PreparedStatement<[string, number, string]>;
  readonly #remove: PreparedStatement<[string]>;

  constructor(database: Database) {
    this.#all = database.prepare('SELECT id, name, made_ms AS madeMs FROM pins ORDER BY name');
    this.#add = database.prepare('INSERT OR IGNORE INTO pins (name, made_ms) VALUES (?, ?)');
    this.#rename = database.prepare('UPDATE OR IGNORE pins SET name = ?, made_ms = ? WHERE name = ?');
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

  /** @returns whether it was there, and the new name was not */
  rename(name: string, newName: string, madeMs: number): boolean {
    return this.#rename.run(newName, madeMs, name).changes > 0;
  }

  /** @returns whether it was there */
  remove(name: string): boolean {
    return this.#remove.run(name).changes > 0;
  }
}
