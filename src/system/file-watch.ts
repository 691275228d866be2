import { constants, type FSWatcher, watch } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { atPlace } from './found-place.ts';

/** After so many changes of other files in a folder, the listener is called as well. That wakes it up less often than each of those changes would. */
const MANY_OTHERS = 10;

/**
 * The name in events about a watched folder itself. Node takes it from the path by which that folder was watched first, so every watch uses a path that ends
 * like this, which is the name of no entry.
 */
const ITSELF = '.';

/**
 * Calls its listener when one of some files may have been written to, has appeared or has disappeared: once, until `next` is called again. So a listener that
 * looks only now and then is not woken up for each of a thousand writes in between.
 *
 * It uses Node's own watch, which needs no thread. Node loses events when there are very many, but the first one is enough here. Writes through a shared
 * mapping cause no event, and neither do those of another machine on a network disk.
 */
export class FileWatch {
  readonly #onChange: () => void;
  #watchers: FSWatcher[] = [];
  /** The paths that are watched, joined; empty unless all of them are watched and nothing has happened yet. */
  #watched = '';
  #stopping = new AbortController();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /**
   * Arms the watch: the listener is called at the next change of these files, which may be before this resolves. To be called again only after that. Many
   * changes of other files in their folders count as a change, too.
   * @param files absolute; a file may be missing, its folder may not
   * @returns whether all files are watched: false if a folder is missing, unreadable, inside a mount of this process or on a disk that does not answer, or if
   * this user has no watches left
   */
  async next(files: readonly string[]): Promise<boolean> {
    const asked = [...files].join('\0');
    if (asked === this.#watched) return true;
    this.close();
    const { signal } = this.#stopping;
    const namesIn = new Map<string, Set<string>>();
    for (const file of files) {
      const folder = dirname(file);
      namesIn.set(folder, (namesIn.get(folder) ?? new Set()).add(basename(file)));
    }
    let isWatched = true;
    for (const [folder, names] of namesIn)
      isWatched = (await this.#watch(folder, names, signal)) && isWatched;
    if (isWatched && !signal.aborted) this.#watched = asked;
    return isWatched;
  }

  /** Stops watching until `next` is called again. */
  close(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
    this.#watched = '';
  }

  async #watch(folder: string, names: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
    try {
      await atPlace(folder, constants.O_DIRECTORY, async (handlePath) => {
        // `watch` makes the kernel ask the disk for this permission and wait. Asked for here in another thread, the answer is known by then.
        await access(handlePath, constants.R_OK);
        if (!signal.aborted) this.#watchAt(handlePath, names);
      });
      return true;
    } catch {
      // The caller looks more often instead.
      return false;
    }
  }

  #watchAt(handlePath: string, names: ReadonlySet<string>): void {
    let others = 0;
    const tell = (): void => {
      this.close();
      this.#onChange();
    };
    const watcher = watch(`${handlePath}/${ITSELF}`, { persistent: false }, (_event, name) => {
      // An event about the folder itself: it was moved or removed.
      const isMeant = name === null || names.has(name) || name === ITSELF;
      if (!isMeant) others += 1;
      if (isMeant || others === MANY_OTHERS) tell();
    });
    watcher.on('error', tell);
    this.#watchers.push(watcher);
  }
}
