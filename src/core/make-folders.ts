import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from './errors.ts';

/**
 * Makes a folder and all that it lies in, as `mkdir -p` does.
 * @param mode of each that is made. Default: as the umask says
 * @returns the first folder that had to be made; undefined where all were there
 * @throws Error of the system. On a disk that can only be read Node says that there is no such file (ENOENT), where mkdir(2) says why (EROFS), and so does this
 */
export function makeFolders(path: string, mode?: number): string | undefined {
  try {
    return mkdirSync(path, { recursive: true, mode });
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
    const first = firstMissing(path);
    mkdirSync(first, { mode });
    // Somebody made what it lies in, or took it away, at this moment.
    makeFolders(path, mode);
    return first;
  }
}

function firstMissing(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? path : firstMissing(parent);
}
