import { closeSync, fdatasync, openSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { type ErrnoCode, FsError, isFsError, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { Listeners } from '../core/listeners.ts';
import type { Unsubscribe } from '../core/resolver.ts';
import { isNoRoom, NO_ROOM } from '../core/room.ts';
import { whatIsFull } from '../disk/disk-remedy.ts';
import { whyRefused } from '../disk/unreadable-file.ts';
import { isContextLost, noteContextMade } from './context-mark.ts';
import { type Database, dataVersionOf, openDatabase, type Schema } from './database.ts';
import { explain } from './database-failure.ts';
import { failureOf, isUnwritable, whyKeptFromWriting, whyNoRoom } from './disk-state.ts';
import { replacementOf } from './file-identity.ts';
import { HISTORY_SCHEMA, HistoryTable } from './history-table.ts';
import { IN_MEMORY } from './in-memory.ts';
import { ADOPTION_SCHEMA } from './memory-adoptions.ts';
import { MEMORY_SCHEMA, MemoryTables } from './memory-tables.ts';
import { PIN_SCHEMA, PinTable } from './pin-table.ts';
import { SESSION_SCHEMA, SessionTable } from './session-table.ts';
import type { Settled } from './store.ts';

/**
 * What people and agents have made and done: memory, sessions, pinned queries and history. None of it can be made again from the docs, so it has
 * a file of its own beside the index.
 */
export interface ContextStore {
  readonly memory: MemoryTables;
  readonly history: HistoryTable;
  readonly sessions: SessionTable;
  readonly pins: PinTable;
  /**
   * Runs the body in one write transaction: either all of it is kept, or nothing. Inside another call it is a part of that one.
   * @throws FsError ENOSPC, EDQUOT, EROFS, EBUSY, EIO for errors of the disk, and whatever the body throws
   */
  transact<T>(body: () => Settled<T>): T;
  /** Whether the file cannot be written to. Every change is refused then. */
  readonly isOnlyRead: boolean;
  /** Why nothing that is written now would be kept; undefined if it would be, as far as that can be known without writing. */
  whyUnkept(): Unkept | undefined;
  /** Whether a transaction is under way. */
  inTransaction(): boolean;
  /** Tells of each transaction of this connection whether it was kept, before `transact` returns. */
  afterTransaction(listener: (isKept: boolean) => void): Unsubscribe;
  /** Changes whenever another connection, of this or any other process, has committed something. */
  dataVersion(): number;
  /** Resolves once everything that was committed so far survives a power cut. */
  sync(): Promise<void>;
  /** Frees memory that caches what was read from the file. */
  dropCache(): void;
  close(): void;
}

export interface Unkept {
  readonly code: ErrnoCode;
  /** The reason for a person, and what to do about it. */
  readonly why: string;
}

export const CONTEXT_SCHEMA: Schema = {
  what: 'file of memory and history',
  migrations: [`${HISTORY_SCHEMA}${SESSION_SCHEMA}`, MEMORY_SCHEMA, PIN_SCHEMA, ADOPTION_SCHEMA],
  wayOutOfDamage: '"kgraphfs check --repair" keeps it and recovers what it holds',
  wayOutOfNewer:
    'or use another --state folder, to which "kgraphfs context memory export" of the newer one and import take what is remembered',
};

/** Writes to a file that has lost its name succeed, but are gone once the process ends. */
const REPLACED =
  'the file of memory and history was removed, replaced or emptied while it was in use, so nothing more can be kept; ' +
  'what the mount shows of it can still be copied out, then unmount, and mount again';

/** After an error, a disk may become read-only under the files that are open. */
const REFUSED =
  'the disk with the state folder no longer accepts writes, as happens after an error; ' +
  'what the mount shows can still be copied out';

const fdatasyncAsync = promisify(fdatasync);

export interface ContextStoreOptions {
  /** Whether a file that cannot be written to may be opened, or none if none can be made: see {@link ContextStore.isOnlyRead}. Default false. */
  readonly mayBeOnlyRead?: boolean;
}

/**
 * Opens the file, and makes it if there never was one.
 * @throws UserError if the file is lost, and as `openDatabase` does
 */
export function openContextStore(
  file: string,
  { mayBeOnlyRead = false }: ContextStoreOptions = {},
): ContextStore {
  if (isContextLost(file))
    throw new UserError(
      `${file}: the file of memory and history is gone or empty, and there was one; "kgraphfs check" says what can be done`,
    );
  const database = openDatabase(file, CONTEXT_SCHEMA, {
    whereOnlyRead: mayBeOnlyRead ? 'refuse' : undefined,
  });
  try {
    if (database.name === file) noteContextMade(file);
    return storeOver(database, file);
  } catch (error) {
    database.close();
    throw explain(error, CONTEXT_SCHEMA, file);
  }
}

function storeOver(database: Database, file: string): ContextStore {
  const listeners = new Listeners<[isKept: boolean]>();

  const isReplaced = replacementOf(file);
  /** Whether the disk has refused the last transaction. */
  let wasRefused = false;
  const wasOnlyRead = isOnlyRead(database, file);
  const whyUnkept = (): Unkept | undefined => {
    const ofFolder = wasOnlyRead ? whyOnlyRead(file) : undefined;
    if (ofFolder !== undefined) return ofFolder;
    if (isReplaced()) return { code: 'EIO', why: REPLACED };
    const code = refusalOfAll(file);
    return code ? { code, why: REFUSED } : whyStillRefused();
  };
  /** After a refusal: whether the disk still refuses the smallest possible write, and why. */
  const whyStillRefused = (): Unkept | undefined => {
    if (!wasRefused || database.inTransaction) return undefined;
    const version = Number(database.pragma('user_version', { simple: true }));
    try {
      database.transaction(() => database.pragma(`user_version = ${version}`)).immediate();
      wasRefused = false;
      return undefined;
    } catch (error) {
      const refusal = refusalOf(error, file);
      if (!(refusal instanceof FsError)) throw refusal;
      // Another process is writing at this moment, so the disk can be written to.
      return refusal.code === 'EBUSY' ? undefined : { code: refusal.code, why: refusal.why };
    }
  };

  function transactWhole<T>(body: () => Settled<T>): T {
    let isKept = false;
    try {
      const result = database
        .transaction(() => {
          const result = body();
          if (isReplaced()) throw new FsError('EIO', '', REPLACED);
          return result;
        })
        .immediate();
      isKept = true;
      wasRefused = false;
      return result;
    } finally {
      listeners.tell(isKept);
    }
  }

  return {
    memory: new MemoryTables(database),
    history: new HistoryTable(database),
    sessions: new SessionTable(database),
    pins: new PinTable(database),
    transact(body) {
      try {
        return database.inTransaction ? body() : transactWhole(body);
      } catch (error) {
        const refusal = refusalOf(error, file);
        // EBUSY is no refusal of the disk, and another try would wait for just as long.
        wasRefused ||= refusal !== error && !isFsError(refusal, 'EBUSY');
        throw refusal;
      }
    },
    isOnlyRead: wasOnlyRead,
    whyUnkept,
    inTransaction: () => database.inTransaction,
    afterTransaction: (listener) => listeners.add(listener),
    dataVersion: dataVersionOf(database),
    sync: () => syncFiles(file),
    dropCache: () => {
      database.pragma('shrink_memory');
    },
    close: () => {
      database.close();
    },
  };
}

/** With a log that others have open, even a file on a read-only disk can be opened as usual. */
function isOnlyRead(database: Database, file: string): boolean {
  if (file === IN_MEMORY) return false;
  return database.readonly || database.name !== file || isUnwritable(file);
}

/**
 * Syncs the log. That is enough: a checkpoint syncs what it moves from the log to the file, so nothing else can be in memory only.
 * @throws FsError ENOSPC, EDQUOT, EROFS, EIO
 */
async function syncFiles(file: string): Promise<void> {
  try {
    const descriptor = openSync(`${file}-wal`, 'r');
    try {
      await fdatasyncAsync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = systemCodeOf(error);
    const told = isNoRoom(code) || code === 'EROFS' ? code : 'EIO';
    throw new FsError(told, '', `the state folder cannot be synced: ${reasonOf(error)}`, { cause: error });
  }
}

/** An error of SQLite as the caller of a system call has to be told of it. */
function refusalOf(error: unknown, file: string): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  const { code } = error;
  const isReadOnly = code.startsWith('SQLITE_READONLY');
  const refused = isReadOnly ? whyRefused(file) : undefined;
  if (refused !== undefined) {
    const { file, reason, remedy } = refused;
    return new FsError('EROFS', '', `${file} cannot be written: ${reason}; ${remedy}`, { cause: error });
  }
  const onlyRead = isReadOnly ? whyOnlyRead(file) : undefined;
  if (onlyRead !== undefined) return new FsError(onlyRead.code, '', onlyRead.why, { cause: error });
  const why = `the state folder refuses to be written: ${failureOf(error)}`;
  if (code === 'SQLITE_FULL') return new FsError('ENOSPC', '', why, { cause: error });
  if (isReadOnly) return new FsError('EROFS', '', why, { cause: error });
  if (code.startsWith('SQLITE_BUSY')) return new FsError('EBUSY', '', why, { cause: error });
  if (code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CANTOPEN')) {
    const ofAll = refusalOfAll(dirname(file));
    const noRoom = ofAll === undefined ? whyNoRoom(file) : undefined;
    if (noRoom !== undefined) return new FsError(noRoom, '', NO_ROOM[noRoom], { cause: error });
    return new FsError(ofAll ?? 'EIO', '', why, { cause: error });
  }
  return error;
}

function whyOnlyRead(file: string): Unkept | undefined {
  const folder = dirname(file);
  const kept = whyKeptFromWriting(file);
  const noRoom = kept === undefined ? whyNoRoom(file) : undefined;
  const why = noRoom === undefined ? kept : whatIsFull(noRoom, folder);
  if (why === undefined) return undefined;
  return {
    code: noRoom ?? 'EROFS',
    why: `${folder}: the state folder can only be read (${why.reason}); ${why.remedy}`,
  };
}

/** SQLite only says that a write to an open file failed. A harmless write shows whether the disk refuses all of them. */
function refusalOfAll(path: string): Unkept['code'] | undefined {
  try {
    const now = new Date();
    utimesSync(path, now, now);
    return undefined;
  } catch (error) {
    const code = systemCodeOf(error);
    return code === 'EROFS' || code === 'EIO' ? code : undefined;
  }
}
