import { closeSync, openSync, truncateSync, writeSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { forgetContextMade } from './context-mark.ts';
import { CONTEXT_SCHEMA } from './context-store.ts';
import { type Database, openDatabase } from './database.ts';
import { explain } from './database-failure.ts';
import { type LostContents, settleLostContents } from './lost-contents.ts';
import { openSqlite } from './only-read.ts';
import { salvage } from './salvage.ts';

export interface Salvaged {
  /** Count of all that were read. */
  readonly rows: number;
  readonly lost: LostContents;
}

const WAIT_MS = 10_000;
const ALL_PAGES = 0x7fff_ffff;
/** Of the header: how many pages there are. 0 says that it is as many as the file has. */
const PAGE_COUNT_AT = 28;

/**
 * Whether SQLite can begin to read a damaged file of memory and history at all. Its log stays as it is.
 * @throws UserError where that is not for damage, such as that it may not be opened
 */
export function isOpenable(file: string): boolean {
  try {
    const database = openSqlite(file, { readonly: true, timeout: WAIT_MS });
    try {
      versionOf(database);
      return true;
    } finally {
      database.close();
    }
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : '';
    if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return false;
    throw explain(error, CONTEXT_SCHEMA, file);
  }
}

/**
 * Has SQLite begin to read a file: one that is cut off as it is, and any other as an empty one. It stays the same file, since others that have it
 * open would take the log of another one for its own.
 */
export function makeOpenable(file: string): void {
  if (isOpenable(file)) return;
  const descriptor = openSync(file, 'r+');
  try {
    writeSync(descriptor, Buffer.alloc(4), 0, 4, PAGE_COUNT_AT);
  } finally {
    closeSync(descriptor);
  }
  if (isOpenable(file)) return;
  // It is empty until something is put in its place, and nobody is to take it for lost.
  forgetContextMade(file);
  truncateSync(file);
  const empty = openSqlite(file, { timeout: WAIT_MS });
  try {
    // With a rollback journal, who puts something in its place would keep out the connection that watches it.
    empty.pragma('journal_mode = WAL');
  } finally {
    empty.close();
  }
}

/**
 * Puts what can be read out of a damaged file in its place, in one transaction of SQLite's own: whoever has the file open goes on with that, and what
 * others commit is never lost.
 * @param made another file, that is not there and is left behind
 * @returns undefined where others wrote meanwhile; then nothing was changed
 * @throws UserError where the file cannot be written
 */
export async function salvageContext(file: string, made: string): Promise<Salvaged | undefined> {
  openDatabase(made, CONTEXT_SCHEMA).close();
  try {
    const watching = openSqlite(file, { timeout: WAIT_MS });
    try {
      // Waits for who writes.
      watching.exec('BEGIN IMMEDIATE; ROLLBACK');
      const seen = versionOf(watching);
      const rows = salvage(file, made);
      const source = openSqlite(made);
      try {
        const lost = settleAll(source);
        const isPut = await putInPlace(source, file, () => versionOf(watching) === seen);
        return isPut && versionOf(watching) !== seen ? { rows, lost } : undefined;
      } finally {
        source.close();
      }
    } finally {
      watching.close();
    }
  } catch (error) {
    throw explain(error, CONTEXT_SCHEMA, file);
  }
}

function settleAll(source: Database): LostContents {
  source.pragma('foreign_keys = ON');
  const lost = settleLostContents(source);
  // Any of it may have changed.
  source.prepare("INSERT INTO memory_changes (place, writer) VALUES ('', 'check')").run();
  return lost;
}

/** Changes with each commit of another connection. */
function versionOf(database: Database): number {
  return Number(database.pragma('data_version', { simple: true }));
}

/**
 * @param isAsSeen asked while nobody else can write; nothing is changed where it is not so
 * @returns false too where somebody else writes now
 */
async function putInPlace(source: Database, file: string, isAsSeen: () => boolean): Promise<boolean> {
  const overtaken = new Error('others wrote to it');
  let isLocked = false;
  try {
    // The first step copies nothing: it locks the file, or finds it locked and ends.
    await source.backup(file, {
      progress: () => {
        if (!isAsSeen()) throw overtaken;
        isLocked = true;
        return ALL_PAGES;
      },
    });
    return isLocked;
  } catch (error) {
    if (error === overtaken) return false;
    throw error;
  }
}
