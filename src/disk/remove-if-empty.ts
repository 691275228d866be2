import { rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin } from '../core/paths.ts';

/** Removes a folder if it is empty. @returns whether it existed and is gone; false also if it may not be removed */
export function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    // The folder is not empty, or is gone. Neither matters to a caller that tidies up.
    return false;
  }
}

/**
 * Removes the folders that were made for a file which then was not made: from the file's own folder upwards, as far as they are empty. @param first the topmost
 * folder that was made
 */
export function removeMadeFolders(file: string, first: string): void {
  for (let folder = dirname(file); isWithin(folder, first); folder = dirname(folder)) {
    if (!removeIfEmpty(folder)) return;
  }
}
