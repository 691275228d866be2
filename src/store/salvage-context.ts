import { closeSync, openSync, truncateSync, writeSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { forgetContextMade } from './context-mark.ts';
import { CONTEXT_SCHEMA } from './context-store.ts';
import { type Database, openDatabase } from './database.ts';
import { explain } from './database-failure.ts';
import { type LostContents, settleLostContents } from './lost-contents.ts';
import { openLogged, openSqlite } from './only-read.ts';
import { salvage } from './salvage.ts';

export interface Salvaged {
  /** How many rows were read in all. */
  readonly rows: number;
  readonly lost: LostContents;
}

const WAIT_MS = 10_000;
const ALL_PAGES = 0x7fff_ffff;
/** The offset in the header of the number of pages. A value of 0 means as many as the file has. */
const PAGE_COUNT_AT = 28;

/**
 * Whether SQLite can start to read a damaged file of memory and history at all. Its log stays as it is.
 * @throws UserError for another cause than damage, for example missing permissions
 */
export function isOpenable(file: string): boolean {
  try {
    const database = openLogged(file, { readonly: true, timeout: WAIT_MS });
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
 * Makes SQLite able to start reading a file: a file that was cut off keeps its content, any other becomes empty. It stays the same file, since processes that
 * have it open would take the log of another file for its own.
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
  // The file is empty until the salvaged content is put into it, and must not be reported as lost.
  forgetContextMade(file);
  truncateSync(file);
  const empty = openSqlite(file, { timeout: WAIT_MS });
  try {
    // With a rollback journal, writing the salvaged content would lock out the connection that watches the file.
    empty.pragma('journal_mode = WAL');
  } finally {
    empty.close();
  }
}

/**
 * Replaces the content of a damaged file by what can be read of it, in one transaction of SQLite: processes that have the file open go on with the new content,
 * and what others commit is never lost.
 * @param made a file for the salvaged content. It must not exist, and is left behind
 * @returns undefined if others wrote meanwhile; then nothing was changed
 * @throws UserError if the file cannot be written
 */
export async function salvageContext(file: string, made: string): Promise<Salvaged | undefined> {
  openDatabase(made, CONTEXT_SCHEMA).close();
  try {
    const watching = openSqlite(file, { timeout: WAIT_MS });
    try {
      // Waits until no other process is writing.
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
  // Any entry may have changed.
  source.prepare("INSERT INTO memory_changes (place, writer) VALUES ('', 'check')").run();
  return lost;
}

/** Changes with each commit of another connection. */
function versionOf(database: Database): number {
  return Number(database.pragma('data_version', { simple: true }));
}

/**
 * @param isAsSeen called while nobody else can write; if it returns false, nothing is changed
 * @returns false also if somebody else is writing now
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
