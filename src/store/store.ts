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

/** Names of the single values that the store keeps. */
export type MetaName =
  | 'revision'
  | 'built_at_ms'
  | 'docs_root'
  | 'counts'
  | 'gone_known_since'
  /** Stands for the schema map under which all documents were read. */
  | 'schema'
  /** That map itself, as JSON. */
  | 'schema_rules'
  /** No other index has it, not even one that is made again in its place. */
  | 'identity'
  /** Revision of what models answered with which all documents were read. */
  | 'extractions'
  /** `1` once a model found something that no rule did. */
  | 'has_model_facts'
  /** What was judged of rules of extraction, by which edges have their confidence: `countsText` of `core/rule-counts.ts`. */
  | 'rules'
  /** Of a graph of commits: the commit that it stands at, empty for none, and how documents were read. */
  | 'commit'
  | 'reading';

/** A value no promise can be: a transaction whose body waits would hold the write lock meanwhile. */
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
  /** Revision of the graph: grows by one with each change of what it shows. 0 before the first. */
  revision(): number;
  setRevision(at: Revision): void;
  /** Changes whenever any other connection committed something. */
  dataVersion(): number;
  /**
   * Runs the body in one write transaction: all of it is kept or nothing.
   * @throws UserError for a full disk, a locked, damaged or read-only file; whatever the body throws otherwise
   */
  transact<T>(body: () => Settled<T>): T;
  /** Runs queries against one unmoving state of the store. */
  snapshot<T>(body: () => Settled<T>): T;
  /**
   * Has all queries see the store as it is now until what runs is done: until the event loop calls the next function. This spares each of them two
   * system calls. Not for who writes.
   */
  holdStill(): void;
  /** The same number for as long as the store is held still, and never again; undefined while it is not. */
  moment(): number | undefined;
  /** Lets go of what was read from the file and is kept in memory. */
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

/** The tables of a database that has them, as `schema` made them. */
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
      // Nothing was written, and nobody waits for this: what is wrong with the file is told to who reads it.
      if (database.inTransaction) giveUp.run();
      // What it holds is read again, since it may be mended.
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
