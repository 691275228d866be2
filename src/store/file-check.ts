import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { reasonOf } from '../core/errors.ts';
import { isDamage } from '../disk/damage.ts';
import { UnreadableFileError, whyUnreadable } from '../disk/unreadable-file.ts';
import type { Database, Schema } from './database.ts';
import { whyMachineRefuses } from './disk-state.ts';
import { IN_MEMORY } from './in-memory.ts';
import { openLogged, openSqlite } from './only-read.ts';

/** How many of SQLite's findings are reported. */
const MAX_TOLD = 20;

/**
 * What SQLite itself finds wrong with a file: inconsistent pages, indexes that lack rows, rows that refer to missing ones; and which tables, columns and
 * indexes of its version are missing. Changes nothing. Empty for a sound file, for one of a newer version, and for a missing one.
 * @throws UnreadableFileError if the file cannot be read, which says nothing about its content
 */
export function fileProblems(file: string, schema: Schema): string[] {
  if (!existsSync(file)) return [];
  try {
    const database = openLogged(file, { readonly: true });
    try {
      const problems = database.pragma(`integrity_check(${MAX_TOLD})`, { simple: false });
      const found = Array.isArray(problems)
        ? problems.flatMap((row) => String(Object.values(row)[0]).split('\n'))
        : [];
      const wrong = found.filter((problem) => problem !== 'ok');
      return wrong.length > 0 ? wrong : missingParts(database, schema).slice(0, MAX_TOLD);
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isDamage(error)) throw unreadable(file, error);
    return [reasonOf(error)];
  }
}

const READ_BYTES = 1 << 20;

/**
 * Reads all of a file in which SQLite found damage: SQLite also calls a page damaged that the disk fails to read (`SQLITE_IOERR_CORRUPTFS`). This process may
 * have no connection to it, since closing a descriptor of the file ends the connection's locks.
 * @throws UnreadableFileError if the disk fails to read any of it
 */
export function checkReadable(file: string): void {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  try {
    const descriptor = openSync(file, 'r');
    try {
      while (readSync(descriptor, buffer) > 0);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** @param error an error of SQLite or of the system about the file that is no damage */
export function unreadable(file: string, error: unknown): UnreadableFileError {
  return new UnreadableFileError(
    file,
    whyUnreadable(file, reasonOf(error), whyMachineRefuses(error, file)),
    error,
  );
}

/** Parts that the file lacks although its version has them. Such a file was damaged, even if SQLite finds nothing wrong with it. */
function missingParts(database: Database, { migrations }: Schema): string[] {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version > migrations.length) return [];
  const sound = openSqlite(IN_MEMORY);
  try {
    for (const step of migrations.slice(0, version)) sound.exec(step);
    const parts = new Set(partsOf(database));
    const missing = partsOf(sound).filter((part) => !parts.has(part));
    const isOfMissing = (part: string) =>
      missing.some((other) => part.startsWith(`column ${other.replace(/^table /, '')}.`));
    return missing.filter((part) => !isOfMissing(part)).map((part) => `${part} is missing`);
  } finally {
    sound.close();
  }
}

/** The tables with each of their columns, and the indexes, in words. */
function partsOf(database: Database): string[] {
  return database
    .prepare<[], string>(
      `SELECT type || ' ' || name FROM sqlite_master WHERE type IN ('table', 'index') AND name NOT LIKE 'sqlite_%'
       UNION ALL
       SELECT 'column ' || part.name || '.' || field.name FROM sqlite_master AS part, pragma_table_info(part.name) AS field
       WHERE part.type = 'table' AND part.name NOT LIKE 'sqlite_%'`,
    )
    .pluck()
    .all();
}
