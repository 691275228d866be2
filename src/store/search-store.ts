import { UserError } from '../core/errors.ts';
import { sum } from '../core/sum.ts';
import { isDamage } from '../disk/damage.ts';
import { removeFile } from '../disk/remove.ts';
import {
  type Database,
  type DatabaseOptions,
  dataVersionOf,
  openDatabase,
  type Schema,
  WIPE_IT,
} from './database.ts';
import { explain } from './database-failure.ts';
import { PassageTable, passageTables } from './passages.ts';
import { PostingTable } from './postings.ts';
import { SOURCE_TABLE, SourceTable } from './sources.ts';
import type { Settled } from './store.ts';

/** The data of search about the docs. It is made from the docs, and made again if it is lost. */
export interface SearchStore {
  readonly sources: SourceTable;
  readonly passages: PassageTable;
  readonly postings: PostingTable;
  /** How far the code that fills the store has come, in a text of its own; undefined before the first time. */
  position(): string | undefined;
  setPosition(position: string): void;
  /** Changes with each commit of another connection. */
  dataVersion(): number;
  /** @throws UserError as the index does */
  transact<T>(body: () => Settled<T>): T;
  /** Runs queries against one unchanging state of the store. */
  snapshot<T>(body: () => Settled<T>): T;
  dropCache(): void;
  close(): void;
}

/** How much can be found in a store. */
export interface SearchFigures {
  readonly sources: number;
  readonly passages: number;
}

/** Counts sources that have been read and have text to search, and their passages. */
export function figuresOf({ sources, passages }: SearchStore): SearchFigures {
  const { none = 0, ...counts } = Object.fromEntries(sources.countsByKind());
  const total = sum(Object.values(counts));
  return { sources: total, passages: passages.count() };
}

/** The {@link figuresOf} a store that only others write to. They are counted again after a write. */
export function rememberedFigures(store: SearchStore): () => SearchFigures {
  let counted: { readonly figures: SearchFigures; readonly dataVersion: number } | undefined;
  return () => {
    const dataVersion = store.dataVersion();
    if (counted?.dataVersion !== dataVersion) counted = { figures: figuresOf(store), dataVersion };
    return counted.figures;
  };
}

export const SEARCH_SCHEMA: Schema = {
  what: 'search index',
  migrations: [
    `
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    ${SOURCE_TABLE}
    ${passageTables('sources')}
    `,
  ],
  wayOutOfDamage: '"kgraphfs check --repair" makes it again from the docs',
  wayOutOfNewer: WIPE_IT,
};

/** @throws UserError as `openDatabase` does */
export function openSearchStore(file: string, options: DatabaseOptions = {}): SearchStore {
  const database = openDatabase(file, SEARCH_SCHEMA, options);
  try {
    return storeOver(database, file);
  } catch (error) {
    database.close();
    throw explain(error, SEARCH_SCHEMA, file);
  }
}

/** As {@link openSearchStore}, but a damaged file is replaced by an empty one, which the next look at the docs fills. */
export function openSearchStoreAnew(file: string, options: DatabaseOptions = {}): SearchStore {
  try {
    return openSearchStore(file, options);
  } catch (error) {
    if (!(error instanceof UserError && isDamage(error.cause))) throw error;
    removeSearchStore(file);
    return openSearchStore(file, options);
  }
}

export function removeSearchStore(file: string): void {
  for (const part of ['', '-wal', '-shm']) removeFile(`${file}${part}`);
}

function storeOver(database: Database, file: string): SearchStore {
  const position = database.prepare<[], string>("SELECT value FROM meta WHERE name = 'position'").pluck();
  const setPosition = database.prepare<[string]>(
    "INSERT INTO meta VALUES ('position', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  return {
    sources: new SourceTable(database),
    passages: new PassageTable(database, 'sources'),
    postings: new PostingTable(database),
    position: () => position.get(),
    setPosition: (position) => {
      setPosition.run(position);
    },
    dataVersion: dataVersionOf(database),
    transact(body) {
      try {
        return database.transaction(body).immediate();
      } catch (error) {
        throw error instanceof Error && error.name === 'SqliteError'
          ? explain(error, SEARCH_SCHEMA, file)
          : error;
      }
    },
    snapshot: (body) => database.transaction(body).deferred(),
    dropCache: () => {
      database.pragma('shrink_memory');
    },
    close: () => {
      database.close();
    },
  };
}
