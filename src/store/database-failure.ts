import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { EXIT, FullDiskError, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { isNoRoom, type NoRoom } from '../core/room.ts';
import { isDamage } from '../disk/damage.ts';
import { whatIsFull } from '../disk/disk-remedy.ts';
import { UnreadableFileError, whyRefused } from '../disk/unreadable-file.ts';
import { failureOf, whyMachineRefuses, whyNoRoom, whyNotWritable } from './disk-state.ts';
import { isNotLoaded, notLoaded } from './not-loaded.ts';
import { isRefusal } from './only-read.ts';

/** The parts of a file's schema that errors mention. */
interface Failing {
  readonly what: string;
  readonly wayOutOfDamage: string;
}

/** Turns an error of SQLite into one that says what a person can do about it. */
export function explain(error: unknown, { what, wayOutOfDamage }: Failing, file: string): Error {
  if (error instanceof UserError) return error;
  if (isNotLoaded(error)) return new UserError(notLoaded(error), EXIT.failed, { cause: error });
  const code = error instanceof Sqlite.SqliteError ? error.code : '';
  if (isDamage(error)) {
    return new UserError(
      `${file}: the ${what} is damaged (${reasonOf(error)}); ${wayOutOfDamage}`,
      EXIT.failed,
      { cause: error },
    );
  }
  const noRoom = noRoomBehind(error, file);
  if (noRoom !== undefined) {
    const { reason, remedy } = whatIsFull(noRoom, dirname(file));
    return new FullDiskError(
      `${file}: ${reason}; nothing of the last batch was kept, ${remedy} and run again`,
      noRoom,
      { cause: error },
    );
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new UserError(
      `${file}: another process holds the ${what}; try again when it is done`,
      EXIT.failed,
      { cause: error },
    );
  }
  if (isRefusal(error) || isAccessError(error)) {
    const refused = whyRefused(file);
    if (refused !== undefined)
      return new UnreadableFileError(refused.file, refused, error, 'be opened for writing');
    const why = whyMachineRefuses(error, file);
    if (why !== undefined)
      return new UserError(`${file}: cannot be opened (${why.reason}); ${why.remedy}`, EXIT.failed, {
        cause: error,
      });
    return new UserError(
      `${file}: cannot be opened for writing (${whyNotWritable(file) ?? reasonOf(error)}); choose another --state folder`,
      EXIT.failed,
      { cause: error },
    );
  }
  const why = whyMachineRefuses(error, file);
  const said = why === undefined ? failureOf(error) : `${why.reason}; ${why.remedy}`;
  return new UserError(`${file}: ${said}`, EXIT.failed, { cause: error });
}

/**
 * The kind of room that a database lacked; undefined if an error is about something else. If there is no room for the files beside a database, SQLite only says
 * that the disk has failed, or that a file cannot be opened.
 */
export function noRoomBehind(error: unknown, file: string): NoRoom | undefined {
  const ofSystem = systemCodeOf(error);
  if (isNoRoom(ofSystem)) return ofSystem;
  const code = error instanceof Sqlite.SqliteError ? error.code : '';
  if (code === 'SQLITE_FULL') return 'ENOSPC';
  const mayBeFull = /^SQLITE_(?:IOERR|CANTOPEN)/.test(code) && whyNotWritable(file) === undefined;
  return mayBeFull ? whyNoRoom(file) : undefined;
}

/** Whether an error is the system's answer to a process that lacks permission. */
export function isAccessError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EEXIST'].includes(String(error.code))
  );
}
