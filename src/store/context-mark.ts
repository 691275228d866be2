import { existsSync, statSync, writeFileSync } from 'node:fs';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { removeFile } from '../disk/remove.ts';
import { IN_MEMORY } from './in-memory.ts';

/**
 * Whether a file of memory and history that was made once is not there any more, or holds nothing: SQLite leaves none empty that had tables. A new one in its
 * place would hide that from everybody.
 */
export function isContextLost(file: string): boolean {
  if (file === IN_MEMORY) return false;
  const isEmpty = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  return isEmpty && existsSync(markOf(file));
}

/** Notes that the file has its tables. */
export function noteContextMade(file: string): void {
  if (file === IN_MEMORY || existsSync(markOf(file))) return;
  try {
    writeFileSync(markOf(file), '', { mode: PRIVATE_FILE_MODE });
  } catch {
    // A full disk keeps nobody from reading what they have: without the mark it is as it was before there were any.
  }
}

/** Lets a new file be made where one was lost. */
export function forgetContextMade(file: string): void {
  removeFile(markOf(file));
}

/** Goes with the file where that is wiped: all that begins like it does. */
function markOf(file: string): string {
  return `${file}-made`;
}
