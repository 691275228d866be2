import { rmdirSync } from 'node:fs';

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
