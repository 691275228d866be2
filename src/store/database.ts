import { chmodSync, existsSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { systemCodeOf, UserError } from '../core/errors.ts';
import { ACCESS_BITS, OWNER_WRITE_BIT, PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { isDamage } from '../disk/damage.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { refuseLinkedFile, refuseOthersFolder } from '../disk/own-folder.ts';
import { removeFile } from '../disk/remove.ts';
import { explain, isAccessError, noRoomBehind } from './database-failure.ts';
import { hasLittleRoom, isUnwritable, whyKeptFromWriting } from './disk-state.ts';
import { IN_MEMORY } from './in-memory.ts';
import { fillHoles } from './log-index.ts';
import {
  holdsNothing,
  isRefusal,
  openCopyInMemory,
  openLogged,
  openOnlyRead,
  openSqlite,
} from './only-read.ts';

export type Database = Sqlite.Database;
export type { Statement as PreparedStatement } from 'better-sqlite3';

/** How long a writer waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 10_000;
const BUSY_PAUSE_MS = 10;

/** What a database file is for, and the steps that made its schema. */
export interface Schema {
  /** What people call the file: `index`. */
  readonly what: string;
  /** One step for each version. A step never changes once it is released. */
  readonly migrations: readonly string[];
  /** What to do if the file is damaged. */
  readonly wayOutOfDamage: string;
  /** What to do, apart from upgrading, if a newer version has written the file. */
  readonly wayOutOfNewer: string;
}

/** The way out for a file that `wipe` removes, since it can be made again. */
export const WIPE_IT = 'or remove what can be made again (memory stays) with "kgraphfs wipe"';

export interface DatabaseOptions {
  /** Opens an existing file for queries only; migrations are then not applied. Default false. */
  readonly readOnly?: boolean;
  /**
   * How to open a file that cannot be written to, because of its permissions, or because its disk is only read or full; if there is no file, an empty one is
   * opened in its place. `refuse` refuses writes, `copy` keeps them in memory. Default: `refuse` for an existing file that is opened read-only; otherwise it
   * is not opened.
   */
  readonly whereOnlyRead?: 'refuse' | 'copy' | undefined;
  /** How long a writer waits for another process. Default 10 s. */
  readonly waitMs?: number;
}

/**
 * Opens a database file, and makes it and its folder (0700) if they are missing, and brings its schema up to date.
 * Write-ahead logging: readers never wait for a writer. `synchronous = NORMAL` loses nothing when the process dies;
 * a power cut may lose the last moments unless they were synced.
 * @throws UserError for a file of a newer version, a damaged one, one that cannot be opened, a link, or one in another user's folder, each with the way out
 */
export function openDatabase(file: string, schema: Schema, options: DatabaseOptions = {}): Database {
  const { readOnly = false, waitMs = BUSY_TIMEOUT_MS, whereOnlyRead } = options;
  try {
    // Checked even for reading only, since SQLite makes files then too: the log, and its index of it.
    if (file !== IN_MEMORY) {
      refuseOthersFolder(dirname(file));
      refuseLinkedFile(file);
    }
    if (readOnly && !existsSync(file))
      throw new UserError(`${file}: there is no ${schema.what} yet; run "kgraphfs build" first`);
    try {
      const database = openedAsUsual(file, schema, readOnly, waitMs);
      // Beside a log and its index that were left by a crash, SQLite opens a file that it cannot write to, or has no room for, and only refuses the first write.
      if (whereOnlyRead !== 'copy' || !(isUnwritable(file) || hasLittleRoom(file))) return database;
      database.close();
    } catch (error) {
      const mayRead = readOnly || whereOnlyRead !== undefined;
      if (!mayRead || !(isKept(error, file) || noRoomBehind(error, file) !== undefined)) throw error;
    }
    return openedOnlyRead(file, schema, whereOnlyRead, waitMs);
  } catch (error) {
    throw explain(error, schema, file);
  }
}

/** Whether a file was refused since this user, or the disk, keeps it from being written. */
function isKept(error: unknown, file: string): boolean {
  return (isRefusal(error) || isAccessError(error)) && whyKeptFromWriting(file) !== undefined;
}

function openedAsUsual(file: string, schema: Schema, readOnly: boolean, waitMs: number): Database {
  if (!readOnly) makeFolders(dirname(file), PRIVATE_FOLDER_MODE);
  const database = openLogged(file, { readonly: readOnly, timeout: waitMs });
  try {
    // This comes first, before anything is set: a file of another version must be left as it is.
    refuseNewer(database, schema, file);
    if (!readOnly) beginWriteAheadLog(database, waitMs);
    setUp(database);
    // From the first read on, SQLite has the index of the log in use.
    if (file !== IN_MEMORY && schemaVersion(database) >= 0) fillHoles(file);
    migrate(database, schema, file, readOnly);
    if (readOnly) letOwnerWriteBeside(file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function openedOnlyRead(
  file: string,
  schema: Schema,
  how: DatabaseOptions['whereOnlyRead'],
  waitMs: number,
): Database {
  const database = how === 'copy' ? openCopyInMemory(file, waitMs) : openForQuestions(file, how, waitMs);
  try {
    refuseNewer(database, schema, file);
    setUp(database);
    migrate(database, schema, file, database.readonly);
    if (how !== 'copy') database.pragma('query_only = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function openForQuestions(file: string, how: DatabaseOptions['whereOnlyRead'], waitMs: number): Database {
  if (how === 'refuse' && holdsNothing(file)) return openSqlite(IN_MEMORY);
  const database = openOnlyRead(file, waitMs);
  // Where there was room for the first page alone, it has no tables.
  if (how !== 'refuse' || schemaVersion(database) > 0) return database;
  database.close();
  return openSqlite(IN_MEMORY);
}

function setUp(database: Database): void {
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
  database.pragma('temp_store = MEMORY');
  database.pragma('cache_size = -16000');
}

/**
 * SQLite gives the files that it makes beside a database the mode of the database. After a reader they stay behind, and if the database becomes
 * writable again, they would not be.
 */
function letOwnerWriteBeside(file: string): void {
  for (const part of ['-wal', '-shm']) {
    const status = lstatSync(`${file}${part}`, { throwIfNoEntry: false });
    if (!status?.isFile() || (status.mode & OWNER_WRITE_BIT) !== 0) continue;
    try {
      chmodSync(`${file}${part}`, (status.mode & ACCESS_BITS) | OWNER_WRITE_BIT);
    } catch (error) {
      // The files belong to another user or lie on a read-only disk, so they were not made here.
      if (systemCodeOf(error) === undefined) throw error;
    }
  }
}

/**
 * Copies the present content of a file, whatever its version, to a new file, which must not exist. If that fails, nothing of the copy is left.
 * @throws Error as SQLite says it, which {@link explain} explains
 */
export function copyDatabase(from: string, to: string): void {
  const wasThere = existsSync(to);
  const database = openLogged(from, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    if (!wasThere) removeFile(to);
    throw error;
  } finally {
    database.close();
  }
}

/** As {@link copyDatabase}. @throws UserError as `openDatabase` does */
export function copyDatabaseExplained(from: string, to: string, schema: Schema): void {
  try {
    copyDatabase(from, to);
  } catch (error) {
    throw explain(error, schema, isDamage(error) ? from : to);
  }
}

/** If two processes make a file at the same time, SQLite refuses the second one's change of mode without waiting for the timeout. */
function beginWriteAheadLog(database: Database, waitMs: number): void {
  const lastMs = performance.now() + waitMs;
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY';
      if (!isBusy || performance.now() > lastMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS);
    }
  }
}

function refuseNewer(database: Database, { migrations, wayOutOfNewer }: Schema, file: string): void {
  const found = schemaVersion(database);
  if (found <= migrations.length) return;
  throw new UserError(
    `${file}: written by a newer kgraphfs (schema ${found}, this one knows ${migrations.length}); ` +
      `upgrade kgraphfs, ${wayOutOfNewer}`,
  );
}

function migrate(database: Database, { migrations }: Schema, file: string, readOnly: boolean): void {
  if (schemaVersion(database) === migrations.length) return;
  if (readOnly) {
    const finding = schemaVersion(database) === 0 ? 'nothing is in it yet' : 'written by an older kgraphfs';
    const why = whyKeptFromWriting(file);
    throw new UserError(
      why === undefined
        ? `${file}: ${finding}; run "kgraphfs build" to bring it up to date`
        : `${file}: ${finding}, and the state folder can only be read (${why.reason}); ${why.remedy}, and run "kgraphfs build" there`,
    );
  }
  const takeSteps = database.transaction(() => {
    for (const step of migrations.slice(schemaVersion(database))) database.exec(step);
    database.pragma(`user_version = ${migrations.length}`);
  });
  takeSteps.immediate();
}

function schemaVersion(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/**
 * Returns a function that reads a number which changes with each commit of another connection, and with none of this one. The statement is prepared, since
 * it runs before each look at memory and several times for each question: `pragma()` would compile it each time, which doubles the cost.
 */
export function dataVersionOf(database: Database): () => number {
  const version = database.prepare<[], number>('PRAGMA data_version').pluck();
  return () => version.get() ?? 0;
}

/** Whether an existing file has the schema of an older version. @throws UserError as `openDatabase` */
export function isOlder(file: string, schema: Schema): boolean {
  return lookedAt(file, schema, (database) => schemaVersion(database) < schema.migrations.length);
}

/** Checks a file before it is copied, since an error that named the copy would help nobody. @throws UserError if a newer version has written the file */
export function refuseNewerFile(file: string, schema: Schema): void {
  lookedAt(file, schema, (database) => refuseNewer(database, schema, file));
}

function lookedAt<T>(file: string, schema: Schema, look: (database: Database) => T): T {
  try {
    const isKept = whyKeptFromWriting(file) !== undefined;
    const database = isKept
      ? openOnlyRead(file, BUSY_TIMEOUT_MS)
      : openLogged(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      return look(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw explain(error, schema, file);
  }
}
