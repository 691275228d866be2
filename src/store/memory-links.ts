import type { MemoryRelation } from '../core/memory-entry.ts';
import type { Database, PreparedStatement } from './database.ts';
import { isRemembered, placeOf } from './memory-entries.ts';

/** A relation between two live entries, by their places (`fact/refunds`). */
export interface MemoryLinkRow {
  readonly fromPlace: string;
  readonly relation: MemoryRelation;
  readonly toPlace: string;
  readonly weight: number;
}

/** A relation that front matter states to another entry, by a name that may not exist yet. */
export interface SaidLink {
  readonly relation: MemoryRelation;
  readonly name: string;
  readonly toId: number | null;
}

/**
 * Relations: those that were set explicitly, and those that front matter states by name. The latter find their entry when one of that name is made, and follow
 * it from then on.
 */
export class MemoryLinkTable {
  readonly #all: PreparedStatement<[{ nowMs: number }], MemoryLinkRow>;
  readonly #around: PreparedStatement<[{ nowMs: number; ids: string }], MemoryLinkRow>;
  readonly #put: PreparedStatement<[number, string, number, number]>;
  readonly #forgetSaid: PreparedStatement<[number]>;
  readonly #say: PreparedStatement<[number, string, string, number | null]>;
  readonly #resolve: PreparedStatement<[{ id: number; key: string; place: string; type: string }]>;

  constructor(database: Database) {
    const linksIn = (links: string) => `
      SELECT ${placeOf('f')} AS fromPlace, relation, ${placeOf('t')} AS toPlace, max(weight) AS weight
      FROM ${links} CROSS JOIN memory_entries f ON f.id = from_id CROSS JOIN memory_entries t ON t.id = to_id
      WHERE ${isRemembered('f')} AND ${isRemembered('t')} GROUP BY from_id, relation, to_id ORDER BY 1, 2, 3`;
    this.#all = database.prepare(linksIn('memory_all_links'));
    const byEnd = (end: string) => `
      SELECT from_id, relation, to_id, weight FROM chosen CROSS JOIN memory_links ON ${end} = chosen.id
      UNION ALL
      SELECT from_id, relation, to_id, 1 FROM chosen CROSS JOIN memory_said_links ON ${end} = chosen.id WHERE to_id IS NOT NULL`;
    // Queries each table by itself, by the index of an end: SQLite would read all rows of a view of both.
    this.#around = database.prepare(`
      WITH chosen (id) AS MATERIALIZED (SELECT value FROM json_each(@ids)),
        found AS (${byEnd('from_id')} UNION ALL ${byEnd('to_id')})
      ${linksIn('found')}`);
    this.#put = database.prepare('INSERT OR REPLACE INTO memory_links VALUES (?, ?, ?, ?)');
    this.#forgetSaid = database.prepare('DELETE FROM memory_said_links WHERE from_id = ?');
    this.#say = database.prepare('INSERT OR REPLACE INTO memory_said_links VALUES (?, ?, ?, ?)');
    // A bare key means the entry of the same type first. One of another type is taken only if there was none.
    this.#resolve = database.prepare(`
      UPDATE memory_said_links SET to_id = @id WHERE from_id <> @id AND name IN (@key, @place) AND (
        to_id IS NULL
        OR (SELECT removed_ms FROM memory_entries WHERE id = to_id) IS NOT NULL
        OR name = @key AND (SELECT type FROM memory_entries WHERE id = from_id) = @type
          AND (SELECT type FROM memory_entries WHERE id = to_id) <> @type)`);
  }

  /** All links, sorted by place. */
  all(nowMs: number): MemoryLinkRow[] {
    return this.#all.all({ nowMs });
  }

  /** The links that begin or end at these entries, sorted by place. */
  around(ids: readonly number[], nowMs: number): MemoryLinkRow[] {
    return this.#around.all({ nowMs, ids: JSON.stringify(ids) });
  }

  put(fromId: number, relation: MemoryRelation, toId: number, weight: number): void {
    this.#put.run(fromId, relation, toId, weight);
  }

  /** Replaces all links that the front matter of an entry states. */
  replaceSaid(fromId: number, links: readonly SaidLink[]): void {
    this.#forgetSaid.run(fromId);
    for (const { relation, name, toId } of links) this.#say.run(fromId, relation, name, toId);
  }

  /** To be called when an entry has got this place: links that name the place lead to the entry from now on. */
  resolve(id: number, type: string, key: string): void {
    this.#resolve.run({ id, key, place: `${type}/${key}`, type });
  }
}
