import { reasonOf, systemCodeOf } from '../core/errors.ts';

/**
 * Whether a file of SQLite itself is at fault: what it holds makes no sense, or lacks tables that every file of its version has. Told by what an
 * error says of itself, so that nobody needs to load SQLite to ask.
 */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'SqliteError' || !('code' in error)) return false;
  const code = String(error.code);
  const isUnlike = code === 'SQLITE_ERROR' && /^no such (?:table|column)\b/.test(error.message);
  return isUnlike || code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/** Of damage what is wrong and the way out; of anything else its reason. */
export function damageOrReason(error: unknown): string {
  if (!isDamage(error)) return reasonOf(error);
  return `what the state folder keeps is damaged (${reasonOf(error)}); "kgraphfs check" says what of it, and mends it with --repair`;
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

/** Whether disk, rights or other processes are at fault, which says nothing of what a file holds. */
export function isOfMachine(error: unknown): boolean {
  if (systemCodeOf(error) !== undefined) return true;
  if (!(error instanceof Error) || error.name !== 'SqliteError' || !('code' in error)) return false;
  const code = String(error.code);
  return REFUSALS.some((refusal) => code.startsWith(`SQLITE_${refusal}`));
}
