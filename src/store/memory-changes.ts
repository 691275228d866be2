import type { Database, PreparedStatement } from './database.ts';

export interface MemoryChangeRow {
  readonly revision: number;
  /** Such as `fact/refunds`; empty where any may have changed. */
  readonly place: string;
}

/** What others changed between two revisions. */
export interface ChangesOfOthers {
  /** All that was committed up to this one is said, and nothing beyond. */
  readonly upTo: number;
  /** Each once; undefined where it is too long ago to tell. */
  readonly places: readonly string[] | undefined;
}

/** As many of the last changes are kept for other processes to catch up with; who is further behind looks at everything anew. */
const KEPT_CHANGES = 10_000;
const FORGET_EVERY = 1024;

/** Which places changed, in order: how processes that share the store learn of each other's changes. */
export class MemoryChangeTable {
  readonly #latest: PreparedStatement<[], number | null>;
  readonly #oldest: PreparedStatement<[], number | null>;
  readonly #add: PreparedStatement<[string, string]>;
  readonly #since: PreparedStatement<[number, number, string], MemoryChangeRow>;
  readonly #after: PreparedStatement<[number, number], MemoryChangeRow>;
  readonly #forget: PreparedStatement<[number]>;

  constructor(database: Database) {
    this.#latest = database.prepare<[], number | null>('SELECT max(revision) FROM memory_changes').pluck();
    this.#oldest = database.prepare<[], number | null>('SELECT min(revision) FROM memory_changes').pluck();
    this.#add = database.prepare('INSERT INTO memory_changes (place, writer) VALUES (?, ?)');
    this.#since = database.prepare(
      'SELECT revision, place FROM memory_changes WHERE revision > ? AND revision <= ? AND writer <> ? ORDER BY revision',
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
    if (revision % FORGET_EVERY === 0) this.#forget.run(revision - KEPT_CHANGES);
  }

  /** What others changed after a revision. Others may go on committing meanwhile: what is not said now is said from `upTo` on. */
  since(revision: number, writer: string): ChangesOfOthers {
    const upTo = this.revision();
    const changes = this.#since.all(revision, upTo, writer);
    const places = this.#isKnownSince(revision) ? [...new Set(changes.map(({ place }) => place))] : undefined;
    return { upTo, places };
  }

  /** What anybody changed after a revision, the first of it; undefined where it is too long ago to tell. */
  after(revision: number, limit: number): MemoryChangeRow[] | undefined {
    const changes = this.#after.all(revision, limit);
    return this.#isKnownSince(revision) ? changes : undefined;
  }

  /** To be asked when changes were read: others may have forgotten some of them just before. */
  #isKnownSince(revision: number): boolean {
    return (this.#oldest.get() ?? 0) <= revision + 1;
  }
}
