import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** So many changes of other files in a folder are told as well: who looks then is woken up less often than by each of theirs. */
const MANY_OTHERS = 10;

/**
 * Tells that one of some files may have been written to, has come or has gone: once, until it is asked anew. So whoever looks at most so often is
 * not woken up for each of a thousand writes in between.
 *
 * Stands on Node's own watch, which takes no thread and loses events where there are very many: the first one says all that is told here. Writes
 * through a shared mapping are told of nowhere, and neither is what another machine does on a disk of the network.
 */
export class FileWatch {
  readonly #onChange: () => void;
  #watchers: FSWatcher[] = [];
  /** What is watched, all of it and untold; empty where that is not so. */
  #watched = '';

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /**
   * Has the next change of these files be told. Where many others in the same folder change, that is told as well.
   * @param files absolute; they need not be there, but the folders that they are in
   * @returns whether all of them are watched: not where a folder is missing, may not be read, or this user has no more watches
   */
  next(files: readonly string[]): boolean {
    const asked = [...files].join('\0');
    if (asked === this.#watched) return true;
    this.close();
    const namesIn = new Map<string, Set<string>>();
    for (const file of files) {
      const folder = dirname(file);
      namesIn.set(folder, (namesIn.get(folder) ?? new Set()).add(basename(file)));
    }
    let isWatched = true;
    for (const [folder, names] of namesIn) isWatched = this.#watch(folder, names) && isWatched;
    if (isWatched) this.#watched = asked;
    return isWatched;
  }

  /** Nothing is told any more, unless it is asked for. */
  close(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
    this.#watched = '';
  }

  #watch(folder: string, names: ReadonlySet<string>): boolean {
    let others = 0;
    const tell = (): void => {
      this.close();
      this.#onChange();
    };
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        // By its own name the folder is meant: it was moved or removed.
        const isMeant = name === null || names.has(name) || name === basename(folder);
        if (!isMeant) others += 1;
        if (isMeant || others === MANY_OTHERS) tell();
      });
      watcher.on('error', tell);
      this.#watchers.push(watcher);
      return true;
    } catch {
      return false;
    }
  }
}
