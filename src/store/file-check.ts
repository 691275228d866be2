import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { reasonOf } from '../core/errors.ts';

/** As many of what SQLite finds wrong are told. */
const MAX_TOLD = 20;

/**
 * What SQLite itself finds wrong with a file: pages that make no sense, indexes that miss rows, rows that point to none. Nothing is changed.
 * Empty for a sound file, and for none.
 */
export function fileProblems(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    const database = new Sqlite(file, { readonly: true });
    try {
      const problems = database.pragma(`integrity_check(${MAX_TOLD})`, { simple: false });
      const found = Array.isArray(problems)
        ? problems.flatMap((row) => String(Object.values(row)[0]).split('\n'))
        : [];
      return found.filter((problem) => problem !== 'ok');
    } finally {
      database.close();
    }
  } catch (error) {
    return [reasonOf(error)];
  }
}

/** Writes what a file holds now to another one, which must not be there. @throws Error where that cannot be read whole */
export function copyDatabase(file: string, target: string): void {
  const database = new Sqlite(file, { readonly: true });
  try {
    database.prepare('VACUUM INTO ?').run(target);
  } finally {
    database.close();
  }
}
