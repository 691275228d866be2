import { reasonOf, systemCodeOf } from '../core/errors.ts';

/**
 * Whether an error means that a file of SQLite is itself damaged: its content makes no sense, or it lacks tables that every file of its version has. The error
 * is recognised by its own fields, so that callers need not load SQLite.
 */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'SqliteError' || !('code' in error)) return false;
  const code = String(error.code);
  const isUnlike = code === 'SQLITE_ERROR' && /^no such (?:table|column)\b/.test(error.message);
  return isUnlike || code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/**
 * For damage, what is wrong and the way out; for any other error, its reason. SQLite gives the same error for a page that the disk fails to read
 * (`SQLITE_IOERR_CORRUPTFS`), which a process with the file open cannot find out: closing another descriptor of it would end SQLite's locks.
 */
export function damageOrReason(error: unknown): string {
  if (!isDamage(error)) return reasonOf(error);
  return `what the state folder keeps is damaged, or its disk fails to read it (${reasonOf(error)}); "kgraphfs check" says which, and repairs damage with --repair`;
}

const REFUSALS = [
  'CANTOPEN',
  'READONLY',
  'PERM',
  'AUTH',
  'IOERR',
  'FULL',
  'NOMEM',
  'BUSY',
  'LOCKED',
  'PROTOCOL',
];

/** Whether the disk, permissions or other processes are at fault, which says nothing about the content of a file. */
export function isOfMachine(error: unknown): boolean {
  if (systemCodeOf(error) !== undefined) return true;
  if (!(error instanceof Error) || error.name !== 'SqliteError' || !('code' in error)) return false;
  const code = String(error.code);
  return REFUSALS.some((refusal) => code.startsWith(`SQLITE_${refusal}`));
}
