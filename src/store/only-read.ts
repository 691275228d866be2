import { chmodSync, constants, copyFileSync, existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { isNoRoom } from '../core/room.ts';
import { removeTree } from '../disk/remove.ts';
import { takeAsUnmoving } from '../disk/unmoving-files.ts';
import { isUnwritable } from './disk-state.ts';
import { IN_MEMORY } from './in-memory.ts';
import { makeLogIndex, refuseHoles } from './log-index.ts';

type Database = Sqlite.Database;

const URI_SWITCH = 'SQLITE_USE_URI';
/** The bytes in the header of a database that say whether it has a log; below is their value for one without a log. */
const LOG_BYTES = [18, 19] as const;
const WITHOUT_LOG = 1;

let isLoaded = false;

/**
 * Opens a database. Only a URI can tell SQLite that a file does not change, and better-sqlite3 treats a file's name as a URI only if an environment variable
 * says so before it is loaded. The variable is removed again, so that no child process inherits it.
 */
export function openSqlite(file: string | Buffer, options: Sqlite.Options = {}): Database {
  if (isLoaded) return new Sqlite(file, options);
  const before = process.env[URI_SWITCH];
  process.env[URI_SWITCH] = '1';
  try {
    return new Sqlite(file, options);
  } finally {
    isLoaded = true;
    if (before === undefined) delete process.env[URI_SWITCH];
    else process.env[URI_SWITCH] = before;
  }
}

/**
 * As {@link openSqlite}, for a file with a log, or one that gets a log. What cannot be stored in the index of the log without room is refused before SQLite maps
 * the index into memory.
 * @throws Error ENOSPC
 */
export function openLogged(file: string, options: Sqlite.Options = {}): Database {
  if (file !== IN_MEMORY && !(options.readonly && !existsSync(file))) {
    makeLogIndex(file);
    refuseHoles(file);
  }
  return openSqlite(file, options);
}

/** Whether SQLite was refused a file, or could not make a file beside it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(?:READONLY|CANTOPEN)/.test(error.code);
}

/**
 * Opens a database for queries, in a folder that cannot be written to or on a full disk. A file with a log needs a shared index of it in memory, which others
 * may have made. Otherwise the file is read as immutable, which `whyMoved` checks.
 * @throws UserError if the log cannot be read; Error of SQLite
 */
export function openOnlyRead(file: string, waitMs: number): Database {
  const shared = openShared(file, waitMs);
  if (shared !== undefined) return shared;
  takeAsUnmoving(file);
  if (hasLog(file)) return openInPlace(file, waitMs) ?? openCopyWithLog(file, waitMs);
  try {
    return openSqlite(`${pathToFileURL(file).href}?immutable=1`, { readonly: true, timeout: waitMs });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // A program that embeds kgraphfs has loaded better-sqlite3 first, without URIs.
    return openSqlite(withoutLog(readFileSync(file)), { readonly: true });
  }
}

/** Whether a file is missing or has no tables. SQLite never leaves a file empty that had tables, but it leaves a new one empty if it then finds no room. */
export function holdsNothing(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** As {@link openOnlyRead}, but writes are kept in memory until it is closed. Without a file, an empty database is opened. */
export function openCopyInMemory(file: string, waitMs: number): Database {
  if (holdsNothing(file)) return openSqlite(IN_MEMORY);
  const database = openOnlyRead(file, waitMs);
  try {
    return openSqlite(withoutLog(database.serialize()));
  } finally {
    database.close();
  }
}

function openShared(file: string, waitMs: number): Database | undefined {
  let database: Database | undefined;
  try {
    database = openLogged(file, { readonly: true, timeout: waitMs });
    database.pragma('schema_version');
    return database;
  } catch (error) {
    database?.close();
    if (isRefusal(error) || isOutOfSpace(error)) return undefined;
    throw error;
  }
}

function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Opens a file together with its log. In exclusive mode, SQLite keeps the index of the log in its own memory. A reader without write permission cannot lock the
 * file, so SQLite is told that nothing is locked. Without locks it may take a log for abandoned and remove it, so this is only done in a folder that cannot be
 * written to.
 * @returns undefined if that is not possible
 */
function openInPlace(file: string, waitMs: number): Database | undefined {
  if (!isUnwritable(dirname(file))) return undefined;
  takeAsUnmoving(`${file}-wal`);
  let database: Database | undefined;
  try {
    database = openSqlite(`${pathToFileURL(file).href}?vfs=unix-none`, { readonly: true, timeout: waitMs });
    database.pragma('main.locking_mode = EXCLUSIVE');
    database.pragma('schema_version');
    return database;
  } catch (error) {
    database?.close();
    // A program that embeds kgraphfs has loaded better-sqlite3 first, without URIs.
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Marks the content as one without a log, since there is none for a database in memory. */
function withoutLog(content: Buffer): Buffer {
  for (const index of LOG_BYTES) content[index] = WITHOUT_LOG;
  return content;
}

/**
 * Opens a copy of a file into which its log has been merged. The copy has no name once it is open, so its space is freed when it is closed, however this
 * process ends. In memory it would take as much as the size of the file, and more while it is read.
 */
function openCopyWithLog(file: string, waitMs: number): Database {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'kgraphfs-'));
    const copy = join(folder, basename(file));
    for (const part of ['', '-wal']) {
      copyFileSync(`${file}${part}`, `${copy}${part}`, constants.COPYFILE_FICLONE);
      // The copy has the mode of the original, which may not be written to.
      chmodSync(`${copy}${part}`, 0o600);
    }
    takeLogIn(copy);
    return openSqlite(copy, { readonly: true, timeout: waitMs });
  } catch (error) {
    if (systemCodeOf(error) === undefined && !isOutOfSpace(error)) throw error;
    throw new UserError(
      `${file}: what its log (${basename(file)}-wal) holds can only be read in a copy, and none can be made (${reasonOf(error)}); name a folder that can be written to in TMPDIR`,
      EXIT.failed,
      { cause: error },
    );
  } finally {
    if (folder !== undefined) removeTree(folder);
  }
}

/** Merges the log into the file. Afterwards nothing lies beside the file, and readers make nothing there. */
function takeLogIn(file: string): void {
  const database = openSqlite(file);
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}

function isOutOfSpace(error: unknown): boolean {
  if (error instanceof Sqlite.SqliteError) return /^SQLITE_(?:FULL|IOERR_WRITE|IOERR_SHM)/.test(error.code);
  return isNoRoom(systemCodeOf(error));
}
