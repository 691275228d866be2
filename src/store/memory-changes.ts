import type { Database, PreparedStatement } from './database.ts';

export interface MemoryChangeRow {
  readonly revision: number;
  /** Such as `fact/refunds`; empty where any may have changed. */
  readonly place: string;
}

/** As many of the last changes are kept for other processes to catch up with; who is further behind looks at everything anew. */
const KEPT = 10_000;
const FORGET_EVERY = 1024;

/** Which places changed, in order: how processes that share the store learn of each other's changes. */
export class MemoryChangeTable {
  readonly #latest: PreparedStatement<[], number | null>;
  readonly #oldest: PreparedStatement<[], number | null>;
  readonly #add: PreparedStatement<[string, string]>;
  readonly #since: PreparedStatement<[number, string], MemoryChangeRow>;
  readonly #after: PreparedStatement<[number, number], MemoryChangeRow>;
  readonly #forget: PreparedStatement<[number]>;

  constructor(database: Database) {
    this.#latest = database.prepare<[], number | null>('SELECT max(revision) FROM memory_changes').pluck();
    this.#oldest = database.prepare<[], number | null>('SELECT min(revision) FROM memory_changes').pluck();
    this.#add = database.prepare('INSERT INTO memory_changes (place, writer) VALUES (?, ?)');
    this.#since = database.prepare(
      'SELECT revision, place FROM memory_changes WHERE revision > ? AND writer <> ? ORDER BY revision',
    );
    this.#after = database.prepare(
      'SELECT revision, place FROM memory_changes WHERE revision > ? ORDER BY revision LIMIT ?',
    );
    this.#forget = database.prepare('DELETE FROM memory_changes WHERE revision <= ?');
  }

  /** Grows with each change; 0 before the first. */
  revision(): number {
    return this.#latest.get() ?? 0;
  }

  add(place: string, writer: string): void {
    const revision = Number(this.#add.run(place, writer).lastInsertRowid);
    if (revision % FORGET_EVERY === 0) this.#forget.run(revision - KEPT);
  }

  /** What others changed after a revision; undefined where it is too long ago to tell. */
  since(revision: number, writer: string): string[] | undefined {
    const oldest = this.#oldest.get() ?? 0;
    if (oldest > revision + 1) return undefined;
    return [...new Set(this.#since.all(revision, writer).map(({ place }) => place))];
  }

  /** What anybody changed after a revision, the first of it; undefined where it is too long ago to tell. */
  after(revision: number, limit: number): MemoryChangeRow[] | undefined {
    const oldest = this.#oldest.get() ?? 0;
    return oldest > revision + 1 ? undefined : this.#after.all(revision, limit);
  }
}
