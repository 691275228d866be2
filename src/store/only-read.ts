import { chmodSync, constants, copyFileSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { removeTree } from '../disk/remove.ts';
import { takeAsUnmoving } from '../disk/unmoving-files.ts';
import { isUnwritable } from './disk-state.ts';
import { IN_MEMORY } from './in-memory.ts';

type Database = Sqlite.Database;

const URI_SWITCH = 'SQLITE_USE_URI';
/** Where the header of a database says whether it has a log, and what it says where it has none. */
const LOG_BYTES = [18, 19] as const;
const WITHOUT_LOG = 1;

let isLoaded = false;

/**
 * Opens a database. What better-sqlite3 was compiled from takes a file's name for nothing but that, unless it is told otherwise before it is loaded; and
 * only a URI can say that a file does not change. No other process is to inherit that.
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

/** Whether SQLite was refused a file, or what it makes beside it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(?:READONLY|CANTOPEN)/.test(error.code);
}

/**
 * Opens a database in a folder that nothing can be written to, or on a disk that is full, for queries. A file that has a log needs an index of it in memory
 * that is shared, which others may have made; else it is read as what does not change, which `whyMoved` looks at.
 * @throws UserError where a log cannot be taken in; Error as SQLite says it
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
    // A program that kgraphfs is a part of loaded better-sqlite3 first, without URIs.
    return openSqlite(withoutLog(readFileSync(file)), { readonly: true });
  }
}

/** Whether a file is not there, or has no table: SQLite leaves none empty that had some, and an empty one where it then finds no room. */
export function holdsNothing(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** As {@link openOnlyRead}, but what is written is kept in memory, until it is closed. An empty one where there is no file. */
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
  const database = openSqlite(file, { readonly: true, timeout: waitMs });
  try {
    database.pragma('schema_version');
    return database;
  } catch (error) {
    database.close();
    if (isRefusal(error) || isOutOfSpace(error)) return undefined;
    throw error;
  }
}

function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Opens a file with its log where they lie. Who has the file alone keeps the index of the log in its own memory; and since whoever can only read a file
 * cannot lock it, this is said to SQLite where nothing is locked. Without locks it may think that a log is nobody's and remove it, so the folder has to be closed.
 * @returns undefined where that cannot be
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
    // A program that kgraphfs is a part of loaded better-sqlite3 first, without URIs.
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Content that is opened in memory has no log. */
function withoutLog(content: Buffer): Buffer {
  for (const index of LOG_BYTES) content[index] = WITHOUT_LOG;
  return content;
}

/**
 * A copy with what the log holds. It has no name any longer once it is open: its space is given back when it is closed, whatever ends this process. In
 * memory it would take as much as the file is large, and more while it is read.
 */
function openCopyWithLog(file: string, waitMs: number): Database {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'kgraphfs-'));
    const copy = join(folder, basename(file));
    for (const part of ['', '-wal']) {
      copyFileSync(`${file}${part}`, `${copy}${part}`, constants.COPYFILE_FICLONE);
      // It has the mode of what nobody may write to.
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

/** Afterwards nothing lies beside the file, or is made there by who reads it. */
function takeLogIn(file: string): void {
  const database = openSqlite(file);
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}

function isOutOfSpace(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(?:FULL|IOERR_WRITE|IOERR_SHM)/.test(error.code);
}
