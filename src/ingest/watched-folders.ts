import { baseName, folderOf, type SubPath } from '../core/paths.ts';

/** A folder that is watched, in the tree of watched folders. */
export interface WatchedFolder {
  readonly watch: number;
  /** Relative to the docs root; empty for the root itself. */
  readonly path: SubPath;
  readonly folders: Map<string, WatchedFolder>;
}

/** The folders that are watched, by the number of their watch and by their path. */
export class WatchedFolders {
  readonly #byWatch = new Map<number, WatchedFolder>();
  #root: WatchedFolder | undefined;

  byWatch(watch: number): WatchedFolder | undefined {
    return this.#byWatch.get(watch);
  }

  at(path: string): WatchedFolder | undefined {
    let folder = this.#root;
    if (path === '') return folder;
    for (const name of path.split('/')) folder = folder?.folders.get(name);
    return folder;
  }

  /**
   * Adds a folder whose parent is watched.
   * @returns watches that are no longer needed: of what lay there before, and of what lies below that
   */
  put(path: SubPath, watch: number): number[] {
    const known = this.at(path);
    if (known?.watch === watch) return [];
    const replaced = known === undefined ? [] : this.remove(path);
    // The same folder was at another place: it was moved, and the event for the old place comes later or was lost.
    const moved = this.#byWatch.get(watch);
    if (moved !== undefined) replaced.push(...this.remove(moved.path).filter((other) => other !== watch));
    const folder: WatchedFolder = { watch, path, folders: new Map() };
    if (path === '') this.#root = folder;
    else this.at(folderOf(path))?.folders.set(baseName(path), folder);
    this.#byWatch.set(watch, folder);
    return replaced;
  }

  /** Removes a folder with everything below it. @returns their watches */
  remove(path: string): number[] {
    const folder = this.at(path);
    if (folder === undefined) return [];
    if (path === '') this.#root = undefined;
    else this.at(folderOf(path))?.folders.delete(baseName(path));
    const watches: number[] = [];
    const left = [folder];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      this.#byWatch.delete(next.watch);
      watches.push(next.watch);
      left.push(...next.folders.values());
    }
    return watches;
  }
}
