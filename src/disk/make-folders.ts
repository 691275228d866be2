import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';

/**
 * Makes a folder and all its missing parents, as `mkdir -p` does. It does not use the `recursive` option of mkdirSync: on a read-only disk that reports a
 * missing file (ENOENT), where mkdir(2) gives the reason (EROFS), and below a folder in which nothing can be made, such as /proc, Node 20 tries for ever.
 * @param mode the mode of each folder that is made. Default: as the umask says
 * @returns the first folder that had to be made; undefined if all existed
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
    // At this moment somebody else may have made it, or removed its parent.
    const last = makeFolders(path, mode);
    return first ?? last;
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
