import { LRUCache } from 'lru-cache';
import type { DiskFolder } from '../core/disk-folder.ts';
import { FsError, systemCodeOf } from '../core/errors.ts';
import type { SubPath } from '../core/paths.ts';

/** Folders that are kept open, each by a descriptor. */
const MAX_KEPT = 128;
/** What the kernel adds to the path of a folder that was removed. */
const REMOVED_MARK = ' (deleted)';

interface KeptFolder {
  readonly folder: DiskFolder;
  /** Where it lies as long as it is the folder of its path, byte for byte. */
  readonly place: string;
}

/**
 * The folders below one folder of the disk, found without following any link. A folder that was found is kept open; before it is used
 * again the kernel is asked where it lies, and if that is not its path below the top, it is searched for anew. The kernel names
 * a folder by the way without links, so one that lies there now is the folder that a new search would find: what is kept needs no
 * other care, whoever renames, removes or replaces what on the disk.
 */
export class Folders {
  readonly top: DiskFolder;
  readonly #kept = new LRUCache<string, KeptFolder>({
    max: MAX_KEPT,
    dispose: ({ folder }) => folder.close(),
  });

  /** @param top which `close` closes */
  constructor(top: DiskFolder) {
    this.top = top;
  }

  /**
   * Calls `action` with the folder at a path, which may be closed when that has returned.
   * @throws what the system call says: ENOENT, EACCES, ENOTDIR for a file and for a link
   */
  within<T>(path: string, action: (folder: DiskFolder) => T): T {
    if (path === '') return action(this.top);
    const kept = this.#kept.get(path);
    if (kept && placeOf(kept.folder) === kept.place) return action(kept.folder);
    const folder = this.open(path);
    if (this.#keep(path, folder)) return action(folder);
    try {
      return action(folder);
    } finally {
      folder.close();
    }
  }

  /**
   * Calls `action` with the folder that a path lies in, and its name there.
   * @throws FsError with `code` for the top itself, and what the system call says
   */
  around<T>(
    path: SubPath,
    code: 'EBUSY' | 'EEXIST' | 'EISDIR' | 'EPERM',
    action: (folder: DiskFolder, name: string) => T,
  ): T {
    if (path === '') throw new FsError(code, path, 'this is the scratchpad itself');
    const slash = path.lastIndexOf('/');
    return this.within(path.slice(0, Math.max(slash, 0)), (folder) => action(folder, path.slice(slash + 1)));
  }

  /** The folder at a path, for work that takes time. The caller closes it. @throws as `within` */
  open(path: string): DiskFolder {
    let folder = this.top.reopen();
    for (const name of path === '' ? [] : path.split('/')) {
      const above = folder;
      try {
        folder = above.enter(name);
      } finally {
        above.close();
      }
    }
    return folder;
  }

  close(): void {
    this.#kept.clear();
    this.top.close();
  }

  #keep(path: string, folder: DiskFolder): boolean {
    // A removed folder could pass for one that is really called so.
    if (path.endsWith(REMOVED_MARK)) return false;
    const top = placeOf(this.top);
    const place = `${top}/${Buffer.from(path).toString('latin1')}`;
    if (top === undefined || placeOf(folder) !== place) return false;
    this.#kept.set(path, { folder, place });
    return true;
  }
}

/** Undefined where the path is too long for the kernel to say. */
function placeOf(folder: DiskFolder): string | undefined {
  try {
    return folder.realPath('latin1');
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}
