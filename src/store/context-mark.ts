import { existsSync, statSync, writeFileSync } from 'node:fs';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { removeFile } from '../disk/remove.ts';
import { IN_MEMORY } from './in-memory.ts';

/**
 * Whether a file of memory and history that once existed is gone or empty: SQLite never leaves a file empty that had tables. A new file in its place would hide
 * the loss from everybody.
 */
export function isContextLost(file: string): boolean {
  if (file === IN_MEMORY) return false;
  const isEmpty = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  return isEmpty && existsSync(markOf(file));
}

/** Notes that the file exists and has its tables. */
export function noteContextMade(file: string): void {
  if (file === IN_MEMORY || existsSync(markOf(file))) return;
  try {
    writeFileSync(markOf(file), '', { mode: PRIVATE_FILE_MODE });
  } catch {
    // A full disk must not keep anybody from reading what they have. Without the mark, a loss would not be noticed.
  }
}

/** Allows a new file to be made where one was lost. */
export function forgetContextMade(file: string): void {
  removeFile(markOf(file));
}

/** The mark. A wipe removes it together with the file, as it removes every name that begins like the file's. */
function markOf(file: string): string {
  return `${file}-made`;
}
