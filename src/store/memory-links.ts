import type { MemoryRelation } from '../core/memory-entry.ts';
import type { Database, PreparedStatement } from './database.ts';
import { isRemembered, placeOf } from './memory-entries.ts';

/** A relation between two entries that live, by their places (`fact/refunds`). */
export interface MemoryLinkRow {
  readonly fromPlace: string;
  readonly relation: MemoryRelation;
  readonly toPlace: string;
  readonly weight: number;
}

/** What front matter says of another entry, by a name that may have none yet. */
export interface SaidLink {
  readonly relation: MemoryRelation;
  readonly name: string;
  readonly toId: number | null;
}

/**
 * Relations: those that somebody set, and those that front matter says by name. The latter find their entry when one of that name is made;
 * from then on they follow it.
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
    // Each table by itself, by the index of an end: of a view of both SQLite reads all rows.
    this.#around = database.prepare(`
      WITH chosen (id) AS MATERIALIZED (SELECT value FROM json_each(@ids)),
        found AS (${byEnd('from_id')} UNION ALL ${byEnd('to_id')})
      ${linksIn('found')}`);
    this.#put = database.prepare('INSERT OR REPLACE INTO memory_links VALUES (?, ?, ?, ?)');
    this.#forgetSaid = database.prepare('DELETE FROM memory_said_links WHERE from_id = ?');
    this.#say = database.prepare('INSERT OR REPLACE INTO memory_said_links VALUES (?, ?, ?, ?)');
    // A bare key means the entry of the same type first: that of another type is taken only where there was none.
    this.#resolve = database.prepare(`
      UPDATE memory_said_links SET to_id = @id WHERE from_id <> @id AND name IN (@key, @place) AND (
        to_id IS NULL
        OR (SELECT removed_ms FROM memory_entries WHERE id = to_id) IS NOT NULL
        OR name = @key AND (SELECT type FROM memory_entries WHERE id = from_id) = @type
          AND (SELECT type FROM memory_entries WHERE id = to_id) <> @type)`);
  }

  /** By place. */
  all(nowMs: number): MemoryLinkRow[] {
    return this.#all.all({ nowMs });
  }

  /** Those that begin or end at these entries, by place. */
  around(ids: readonly number[], nowMs: number): MemoryLinkRow[] {
    return this.#around.all({ nowMs, ids: JSON.stringify(ids) });
  }

  put(fromId: number, relation: MemoryRelation, toId: number, weight: number): void {
    this.#put.run(fromId, relation, toId, weight);
  }

  /** Makes these all that the front matter of an entry says. */
  replaceSaid(fromId: number, links: readonly SaidLink[]): void {
    this.#forgetSaid.run(fromId);
    for (const { relation, name, toId } of links) this.#say.run(fromId, relation, name, toId);
  }

  /** An entry has this place from now on: those who speak of it by name mean it. */
  resolve(id: number, type: string, key: string): void {
    this.#resolve.run({ id, key, place: `${type}/${key}`, type });
  }
}
