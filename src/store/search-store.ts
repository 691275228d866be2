import { type Database, type DatabaseOptions, explain, openDatabase, type Schema } from './database.ts';
import { PASSAGE_TABLES, PassageTable } from './passages.ts';
import { SourceTable } from './sources.ts';
import type { Settled } from './store.ts';

/** What search knows of the docs: made from them, and made again where it is lost. */
export interface SearchStore {
  readonly sources: SourceTable;
  readonly passages: PassageTable;
  /** Changes with each commit, of whatever process. */
  dataVersion(): number;
  /** @throws UserError as the index does */
  transact<T>(body: () => Settled<T>): T;
  dropCache(): void;
  close(): void;
}

const SEARCH_SCHEMA: Schema = {
  what: 'search index',
  migrations: [
    `
    CREATE TABLE sources (
      id INTEGER PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      sha256 TEXT NOT NULL,
      version INTEGER NOT NULL,
      title TEXT NOT NULL,
      modified_ms INTEGER NOT NULL
    );
    ${PASSAGE_TABLES}
    `,
  ],
  wayOutOfDamage: 'remove the file and run "kgraphfs build", which makes it again from the docs',
};

/** @throws UserError as `openDatabase` does */
export function openSearchStore(file: string, options: DatabaseOptions = {}): SearchStore {
  const database: Database = openDatabase(file, SEARCH_SCHEMA, options);
  return {
    sources: new SourceTable(database),
    passages: new PassageTable(database),
    dataVersion: () => Number(database.pragma('data_version', { simple: true })),
    transact(body) {
      try {
        return database.transaction(body).immediate();
      } catch (error) {
        throw error instanceof Error && error.name === 'SqliteError'
          ? explain(error, SEARCH_SCHEMA, file)
          : error;
      }
    },
    dropCache: () => {
      database.pragma('shrink_memory');
    },
    close: () => {
      database.close();
    },
  };
}
