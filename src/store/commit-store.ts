import { existsSync, renameSync } from 'node:fs';
import { removeFile } from '../disk/remove.ts';
import { COMMIT_TABLES, CommitTable, FileTable } from './commit-tables.ts';
import { copyDatabaseExplained, openDatabase, type Schema } from './database.ts';
import { GraphHistory, keepHistory } from './graph-history.ts';
import { INDEX_SCHEMA, type Store, storeOver } from './store.ts';

/**
 * The graph of the docs at a commit, and as it was at every commit that was recorded before. Its schema is that of the index, so the same projection fills it;
 * tables that only commits need stand beside it. All of it can be made again from Git.
 */
export interface CommitStore {
  readonly graph: Store;
  readonly history: GraphHistory;
  readonly commits: CommitTable;
  readonly files: FileTable;
  close(): void;
}

export interface CommitStoreOptions {
  /** How long to wait for another process that writes. Default: 10 s. */
  readonly waitMs?: number;
  /** Whether a file that cannot be written to is opened, too, or none if none can be made. What is recorded then is kept in memory. Default: false. */
  readonly mayBeOnlyRead?: boolean;
}

export const COMMITS_SCHEMA: Schema = {
  ...INDEX_SCHEMA,
  what: 'graph of commits',
  wayOutOfDamage: '"kgraphfs check --repair" removes it, and "kgraphfs sync" makes it again from git',
};

/** @throws UserError as `openDatabase` does */
export function openCommitStore(
  file: string,
  { waitMs, mayBeOnlyRead = false }: CommitStoreOptions = {},
): CommitStore {
  const database = openDatabase(file, COMMITS_SCHEMA, {
    ...(waitMs === undefined ? {} : { waitMs }),
    whereOnlyRead: mayBeOnlyRead ? 'copy' : undefined,
  });
  try {
    database.exec(COMMIT_TABLES);
    keepHistory(database);
    return {
      graph: storeOver(database, file, COMMITS_SCHEMA),
      history: new GraphHistory(database),
      commits: new CommitTable(database),
      files: new FileTable(database),
      close: () => {
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * If there is no store yet, makes one from an index of the docs, which then already contains what most documents contribute.
 * @returns whether it did
 */
export function seedCommitStore(file: string, indexFile: string): boolean {
  if (existsSync(file) || !existsSync(indexFile)) return false;
  const made = `${file}.${process.pid}`;
  try {
    // Refuses an index that is damaged or of another version.
    openDatabase(indexFile, INDEX_SCHEMA, { readOnly: true }).close();
    copyDatabaseExplained(indexFile, made, INDEX_SCHEMA);
    renameSync(made, file);
    return true;
  } finally {
    removeFile(made);
  }
}
