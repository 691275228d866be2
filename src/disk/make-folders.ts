import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';

/**
 * Makes a folder and all that it lies in, as `mkdir -p` does. Not by mkdirSync's `recursive`: on a disk that can only be read it says that there is no such file
 * (ENOENT), where mkdir(2) says why (EROFS), and where nothing can be made in a folder that is there, as below /proc, Node 20 tries for ever.
 * @param mode of each that is made. Default: as the umask says
 * @returns the first folder that had to be made; undefined where all were there
 * @throws Error of the system, about the folder that cannot be made
 */
export function makeFolders(path: string, mode?: number): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    if (isFolder(path)) return undefined;
    const around = dirname(path);
    if (systemCodeOf(error) !== 'ENOENT' || existsSync(around)) throw error;
    const first = makeFolders(around, mode);
    // Somebody may have made it, or have taken away what it lies in, at this moment.
    const last = makeFolders(path, mode);
    return first ?? last;
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
