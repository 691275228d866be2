import type { Database, PreparedStatement } from './database.ts';

export const PIN_SCHEMA = `
  CREATE TABLE pins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    made_ms INTEGER NOT NULL
  );
`;

/** A query that is kept as a folder of its results. */
export interface PinRow {
  /** The pin's id. It stays when the pin is renamed, and is never reused. */
  readonly id: number;
  /** The name of the folder, which is the query in the encoding of file names. */
  readonly name: string;
  /** When it was pinned under this name, in milliseconds since 1970. */
  readonly madeMs: number;
}

/** The pinned queries of one state folder. Changes are to be made inside a transaction. */
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

  /** All pins, sorted by name in code points. */
  all(): PinRow[] {
    return this.#all.all();
  }

  /** @returns whether the pin is new */
  add(name: string, madeMs: number): boolean {
    return this.#add.run(name, madeMs).changes > 0;
  }

  /** @returns whether the pin existed and the new name was free */
  rename(name: string, newName: string, madeMs: number): boolean {
    return this.#rename.run(newName, madeMs, name).changes > 0;
  }

  /** @returns whether the pin existed */
  remove(name: string): boolean {
    return this.#remove.run(name).changes > 0;
  }
}
