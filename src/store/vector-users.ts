import type { Database } from './database.ts';

/** A process, and the id by which it calls itself. */
export interface VectorUser {
  readonly id: string;
  readonly pid: number;
  /** When the process began, in clock ticks since boot, which tells it from a later one with the same pid. */
  readonly startTicks: string;
}

/** Which processes use the vectors of which model. */
export class VectorUsers {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  put({ id, pid, startTicks }: VectorUser, model: string): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO users VALUES (?, ?, ?, ?)')
      .run(id, model, pid, startTicks);
  }

  remove({ id }: VectorUser): void {
    this.#database.prepare('DELETE FROM users WHERE holder = ?').run(id);
  }

  /** The models that are in use. Processes that have ended are forgotten. To be called in a transaction. */
  models(isAlive: (user: VectorUser) => boolean): Set<string> {
    const all = this.#database.prepare<[], VectorUser & { model: string }>(
      'SELECT holder AS id, model, pid, start_ticks AS startTicks FROM users',
    );
    const models = new Set<string>();
    for (const user of all.all()) {
      if (isAlive(user)) models.add(user.model);
      else this.remove(user);
    }
    return models;
  }
}
