import type { Database, PreparedStatement } from './database.ts';

export interface MemoryChangeRow {
  readonly revision: number;
  /** Such as `fact/refunds`; empty if any entry may have changed. */
  readonly place: string;
}

/** What other processes changed after a revision. */
export interface ChangesOfOthers {
  /** Everything up to this revision is included, and nothing beyond. */
  readonly upTo: number;
  /** Each place once; undefined if the revision is too old to tell. */
  readonly places: readonly string[] | undefined;
}

/** How many of the last changes are kept for other processes. A process that is further behind reads everything again. */
const KEPT_CHANGES = 10_000;
const FORGET_EVERY = 1024;

/** The places that changed, in order. Through this, processes that share the store learn of each other's changes. */
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

  /** What others changed after a revision. They may commit more meanwhile; what is missing here is returned by a call from `upTo` on. */
  since(revision: number, writer: string): ChangesOfOthers {
    const upTo = this.revision();
    const changes = this.#since.all(revision, upTo, writer);
    const places = this.#isKnownSince(revision) ? [...new Set(changes.map(({ place }) => place))] : undefined;
    return { upTo, places };
  }

  /** The first changes after a revision, by whichever process; undefined if the revision is too old to tell. */
  after(revision: number, limit: number): MemoryChangeRow[] | undefined {
    const changes = this.#after.all(revision, limit);
    return this.#isKnownSince(revision) ? changes : undefined;
  }

  /** To be called after changes were read, since other processes may have removed some of them just before. */
  #isKnownSince(revision: number): boolean {
    return (this.#oldest.get() ?? 0) <= revision + 1;
  }
}
