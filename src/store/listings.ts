import type { EdgeType, NodeType } from '../core/graph-model.ts';
import type { Database, PreparedStatement } from './database.ts';
import type { Revision } from './nodes.ts';

/** A list of the graph: of all nodes, of the nodes of one type, or of all edges of one type. `graph` is the list of what is always there. */
export type Listing = 'graph' | 'nodes' | NodeType | EdgeType;

/** A name that was removed from a list. It may have come back since. */
export interface GoneName {
  readonly name: string;
  readonly type: NodeType;
}

/** Up to this many removed names are kept. Beyond that it is only known that there are some. */
const MAX_GONE = 20_000;

/** When each list of the graph last changed, and which names were removed from it. The tables of nodes and edges cannot tell that. */
export class ListingTable {
  readonly #get: PreparedStatement<[Listing], Revision>;
  readonly #since: PreparedStatement<[number], { listing: Listing }>;
  readonly #put: PreparedStatement<[Listing, number, number]>;
  readonly #addGone: PreparedStatement<[string, NodeType, number]>;
  readonly #goneSince: PreparedStatement<[number, number], GoneName>;
  readonly #countGone: PreparedStatement<[], { total: number }>;
  readonly #dropGone: PreparedStatement<[]>;

  constructor(database: Database) {
    this.#get = database.prepare('SELECT revision, changed_ms AS nowMs FROM listings WHERE listing = ?');
    this.#since = database.prepare('SELECT listing FROM listings WHERE revision > ? ORDER BY listing');
    this.#put = database.prepare('INSERT OR REPLACE INTO listings VALUES (?, ?, ?)');
    this.#addGone = database.prepare('INSERT OR REPLACE INTO gone_names VALUES (?, ?, ?)');
    this.#goneSince = database.prepare(
      'SELECT name, type FROM gone_names WHERE revision > ? ORDER BY name, type LIMIT ?',
    );
    this.#countGone = database.prepare('SELECT count(*) AS total FROM gone_names');
    this.#dropGone = database.prepare('DELETE FROM gone_names');
  }

  /** @returns undefined for a list that was always empty */
  lastChange(listing: Listing): Revision | undefined {
    return this.#get.get(listing);
  }

  /** The lists that changed after a revision. */
  changedSince(revision: number): Listing[] {
    return this.#since.all(revision).map(({ listing }) => listing);
  }

  /** The names that were removed after a revision, at most `limit` of them. */
  goneSince(revision: number, limit: number): GoneName[] {
    return this.#goneSince.all(revision, limit);
  }

  note(listing: Listing, { revision, nowMs }: Revision): void {
    this.#put.run(listing, revision, nowMs);
  }

  noteGone(name: string, type: NodeType, { revision }: Revision): void {
    this.#addGone.run(name, type, revision);
  }

  /** Forgets the removed names if there are too many. @returns whether it did */
  pruneGone(): boolean {
    if ((this.#countGone.get()?.total ?? 0) <= MAX_GONE) return false;
    this.#dropGone.run();
    return true;
  }
}
