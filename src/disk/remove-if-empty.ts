import { rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin } from '../core/paths.ts';

/** Removes a folder that nothing is in. @returns whether it was there and has gone; false too where it may not be removed */
export function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    // Something is in it, or it is gone: who tidies up leaves it be.
    return false;
  }
}

/** Removes folders that were made for a file in vain, from the one that it was to lie in upwards, as far as nothing else is in them. @param first the first of them that was made */
export function removeMadeFolders(file: string, first: string): void {
  for (let folder = dirname(file); isWithin(folder, first); folder = dirname(folder)) {
    if (!removeIfEmpty(folder)) return;
  }
}
