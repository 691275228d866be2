import { ContributionTables } from './contributions.ts';
import {
  type Database,
  type DatabaseOptions,
  dataVersionOf,
  openDatabase,
  type Schema,
  WIPE_IT,
} from './database.ts';
import { explain } from './database-failure.ts';
import { DocumentTable } from './documents.ts';
import { EdgeTable } from './edges.ts';
import { KeyTable } from './keys.ts';
import { ListingTable } from './listings.ts';
import { MIGRATIONS } from './migrations.ts';
import { NodeTextTable } from './node-texts.ts';
import { NodeTable, type Revision } from './nodes.ts';
import { OutlineTable } from './outlines.ts';
import { ProblemTable } from './problems.ts';

/** The names of single values in the store. */
export type MetaName =
  | 'revision'
  | 'built_at_ms'
  | 'docs_root'
  | 'counts'
  | 'gone_known_since'
  /** A stamp of the schema map by which all documents were read. */
  | 'schema'
  /** The rules of that map, as JSON. */
  | 'schema_rules'
  /** An id that no other index has, not even one that is made in its place later. */
  | 'identity'
  /** The revision of the answers of models with which all documents were read. */
  | 'extractions'
  /** `1` once a model has found something that no rule did. */
  | 'has_model_facts'
  /** What was judged of extraction rules, which the confidence of edges depends on: a `countsText` of `core/rule-counts.ts`. */
  | 'rules'
  /** For a graph of commits: its present commit, or an empty text, and how documents were read. */
  | 'commit'
  | 'reading';

/** Any value but a promise: a transaction with a body that waits would hold the write lock all the while. */
export type Settled<T> = T extends PromiseLike<unknown> ? never : T;

/** The index of one docs root: contributions as read, and the graph derived from them. */
export interface Store {
  readonly documents: DocumentTable;
  readonly keys: KeyTable;
  readonly contributions: ContributionTables;
  readonly nodes: NodeTable;
  readonly edges: EdgeTable;
  readonly listings: ListingTable;
  readonly outlines: OutlineTable;
  readonly problems: ProblemTable;
  readonly nodeTexts: NodeTextTable;
  meta(name: MetaName): string | undefined;
  setMeta(name: MetaName, value: string): void;
  /** The revision of the graph: 0 at first, and one more with each change of what the graph shows. */
  revision(): number;
  setRevision(at: Revision): void;
  /** Changes whenever another connection has committed something. */
  dataVersion(): number;
  /**
   * Runs the body in one write transaction: either all of it is kept, or nothing.
   * @throws UserError for a full disk or a locked, damaged or read-only file, and whatever the body throws
   */
  transact<T>(body: () => Settled<T>): T;
  /** Runs queries that all see the same state of the store. */
  snapshot<T>(body: () => Settled<T>): T;
  /**
   * Makes all queries see the store as it is now, until the event loop calls the next function. This saves each query two
   * system calls. Must not be used by code that writes.
   */
  holdStill(): void;
  /** A number for the time during which the store is held still, which never comes again; undefined while it is not. */
  moment(): number | undefined;
  /** Frees memory that caches what was read from the file. */
  dropCache(): void;
  close(): void;
}

export const INDEX_SCHEMA: Schema = {
  what: 'index',
  migrations: MIGRATIONS,
  wayOutOfDamage: '"kgraphfs check --repair" makes it again from the docs',
  wayOutOfNewer: WIPE_IT,
};

/** @throws UserError as `openDatabase` does */
export function openStore(file: string, options: DatabaseOptions = {}): Store {
  const database = openDatabase(file, INDEX_SCHEMA, options);
  try {
    return storeOver(database, file, INDEX_SCHEMA);
  } catch (error) {
    database.close();
    throw explain(error, INDEX_SCHEMA, file);
  }
}

/** The store over a database whose tables `schema` has made. */
export function storeOver(database: Database, file: string, schema: Schema): Store {
  const getMeta = database.prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?');
  const putMeta = database.prepare<[string, string]>(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  const begin = database.prepare('BEGIN');
  const end = database.prepare('COMMIT');
  const giveUp = database.prepare('ROLLBACK');
  let isHeld = false;
  let moments = 0;
  const release = () => {
    isHeld = false;
    if (!database.inTransaction) return;
    try {
      end.run();
    } catch {
      // Nothing was written, and nobody waits for this. If something is wrong with the file, whoever reads it will be told.
      if (database.inTransaction) giveUp.run();
      // The file may have been repaired, so it is read again.
      database.pragma('shrink_memory');
    }
  };
  const keys = new KeyTable(database);
  return {
    documents: new DocumentTable(database),
    keys,
    contributions: new ContributionTables(database),
    nodes: new NodeTable(database),
    edges: new EdgeTable(database),
    listings: new ListingTable(database),
    outlines: new OutlineTable(database),
    problems: new ProblemTable(database),
    nodeTexts: new NodeTextTable(database),
    meta: (name) => getMeta.get(name)?.value,
    setMeta: (name, value) => {
      putMeta.run(name, value);
    },
    revision: () => Number(getMeta.get('revision')?.value ?? 0),
    setRevision({ revision, nowMs }) {
      putMeta.run('revision', String(revision));
      putMeta.run('built_at_ms', String(nowMs));
    },
    dataVersion: dataVersionOf(database),
    transact(body) {
      moments += 1;
      try {
        return database.transaction(body).immediate();
      } catch (error) {
        keys.forgetRecent();
        throw error instanceof Error && error.name === 'SqliteError' ? explain(error, schema, file) : error;
      }
    },
    snapshot: (body) => database.transaction(body).deferred(),
    holdStill() {
      if (database.inTransaction) return;
      begin.run();
      isHeld = true;
      moments += 1;
      queueMicrotask(release);
    },
    moment: () => (isHeld ? moments : undefined),
    dropCache: () => {
      database.pragma('shrink_memory');
    },
    close: () => {
      database.close();
    },
  };
}
