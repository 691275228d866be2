/** Long because events, walks and looks, each of which may overtake the others, meet here. */
import { setTimeout } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DocsFolder, type DocsSelection, wayOf } from '../core/docs-selection.ts';
import { reasonOf, systemCodeOf } from '../core/errors.ts';
import { folderOf, type SubPath } from '../core/paths.ts';
import { hiddenIn } from '../source/excluded-folders.ts';
import { isIgnoreFile } from '../source/ignore-files.ts';
import { lookAtMountsAnew } from '../source/own-mounts.ts';
import { isOnForeignDisk } from '../system/foreign-disk.ts';
import { type FolderEvent, Inotify } from '../system/inotify.ts';
import { MountsBelow } from '../system/mounts-below.ts';
import { childOf, ROOT } from './docs-paths.ts';
import { type OpenedRoot, openAnother } from './opened-root.ts';
import { RootLooks } from './root-looks.ts';
import { CHANGED_BY_OTHERS, limitBy, notFollowed, nothingWatched, notWatched } from './watch-limits.ts';
import { isSameState, type WatchState } from './watch-state.ts';
import { WatchedFolders } from './watched-folders.ts';

export interface WatchOptions {
  /** All docs, of which one root is watched. */
  readonly selection: DocsSelection;
  readonly docs: DocsFolder;
  /** Absolute paths of folders inside the docs root that are no docs. They are never touched. */
  readonly excluded: readonly string[];
  /**
   * Called at once when something has changed, with the places: files, and folders with everything below them, relative to the docs root. The empty path stands
   * for all of it; it is also used if there would be more than a thousand paths, and if events were lost.
   */
  readonly onChange: (paths: readonly SubPath[]) => void;
  /** Called when a folder with everything below it is watched. Changes from before that were not reported. */
  readonly onWatched: (path: SubPath) => void;
  /** Called with the first state, and whenever the state changes. After `missing`, another kind means that there is a docs root again. */
  readonly onState: (state: WatchState) => void;
  /** Makes the source of events. Default: {@link Inotify}. */
  readonly inotify?: () => Inotify;
  /** Whether others may change a folder without this kernel's notice. Default: {@link isOnForeignDisk}. */
  readonly isForeign?: (folder: string) => boolean;
}

/** More paths than this are reported as the whole root. */
export const MAX_PATHS = 1000;
/** Ignore files are trusted for 100 ms, so what they hide is reported again after this time. */
const RULES_KNOWN_AFTER_MS = 150;
/** After a piece of a walk of this length, others get their turn. */
const TURN_MS = 4;

/** The docs root while it is watched: until it is gone, or another folder takes its place. */
interface Watched extends OpenedRoot {
  readonly inotify: Inotify | undefined;
  readonly folders: WatchedFolders;
  readonly mounts: MountsBelow;
  readonly isExcluded: (path: string) => boolean;
}

/**
 * Follows changes below the docs root with inotify(7), with one watch for each folder that is shown. The root may go and come back. No library is used: on
 * Linux they miss what happens in folders that came with other folders in them, and do not tell when events were lost.
 */
export class DocsWatch {
  readonly #options: WatchOptions;
  #watched: Watched | undefined;
  /** Folders to be walked, with everything below them. */
  readonly #toWalk = new Set<SubPath>();
  /** When others last got their turn. */
  #turnMs = 0;
  #walking: Promise<void> | undefined;
  /** Why not all folders are watched. */
  #limit: string | undefined;
  #told: WatchState | undefined;
  readonly #looks: RootLooks;
  readonly #closing = new AbortController();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#looks = new RootLooks(wayOf(options.docs), () => this.#look());
    this.#looks.now();
  }

  /** Where the docs root lies that is watched, absolute and without links; undefined if there is none. */
  folder(): string | undefined {
    return this.#watched?.root.realPath;
  }

  /** Causes a look, soon, at what lies at the path and which parts of it belong to other roots by now. */
  readonly look = (): void => this.#looks.now();

  /** Tries again to watch what could not be watched. */
  retry(): void {
    if (this.#watched === undefined) return;
    if (this.#watched.inotify === undefined) {
      // The identity stays that of the old folder, so that the look finds out whether another one took its place.
      this.#watched = { ...this.#watched, inotify: this.#newInotify(), folders: new WatchedFolders() };
      this.#listen(this.#watched);
      this.#looks.now();
    }
    this.#walk(ROOT);
  }

  close(): void {
    this.#closing.abort();
    this.#looks.close();
    this.#end();
  }

  /** Checks whether the docs root still is the folder that is watched. */
  async #look(): Promise<Watched | undefined> {
    try {
      await this.#lookAtRoot();
    } catch (error) {
      this.#end();
      this.#tell({ kind: 'missing', reason: notWatched(wayOf(this.#options.docs), error) });
    }
    return this.#watched;
  }

  async #lookAtRoot(): Promise<void> {
    const { selection, docs, excluded, onChange } = this.#options;
    const before = this.#watched;
    const found = await openAnother(selection, docs, excluded, before);
    if (found === undefined) return;
    const [root, missing] = 'missing' in found ? [undefined, found.missing] : [found, undefined];
    // If watching has begun anew meanwhile, another look follows.
    if (this.#closing.signal.aborted || this.#watched !== before) return root?.root.close();
    this.#end();
    if (missing !== undefined || (before !== undefined && before.identity !== root?.identity))
      this.#tell({ kind: 'missing', reason: missing ?? `the docs folder ${wayOf(docs)} was replaced` });
    if (before !== undefined) onChange([ROOT]);
    if (root !== undefined) this.#follow(root);
  }

  /** @param opened closed with the watch, and if this throws */
  #follow(opened: OpenedRoot): void {
    try {
      const { realPath } = opened.root;
      const isExcluded = hiddenIn(realPath, [
        ...this.#options.excluded,
        ...[...opened.others.values()].flat(),
      ]);
      const mounts = new MountsBelow(realPath, isExcluded);
      this.#limit = undefined;
      const inotify = this.#newInotify();
      this.#watched = { ...opened, inotify, folders: new WatchedFolders(), mounts, isExcluded };
    } catch (error) {
      opened.root.close();
      throw error;
    }
    this.#listen(this.#watched);
    this.#walk(ROOT);
  }

  #end(): void {
    this.#watched?.inotify?.close();
    this.#watched?.root.close();
    this.#watched = undefined;
    this.#toWalk.clear();
  }

  #newInotify(): Inotify | undefined {
    try {
      return (this.#options.inotify ?? (() => new Inotify()))();
    } catch (error) {
      if (systemCodeOf(error) === undefined) throw error;
      this.#limit = nothingWatched(reasonOf(error));
      return undefined;
    }
  }

  #listen(watched: Watched): void {
    watched.inotify
      ?.listen((events) => this.#take(events, watched), {
        onMounts: () => {
          if (this.#watched !== watched) return;
          lookAtMountsAnew();
          for (const path of watched.mounts.changed()) this.#walk(childOf(ROOT, path));
          this.#looks.now();
        },
      })
      .catch((error: unknown) => {
        if (this.#watched !== watched) return;
        this.#watched = { ...watched, inotify: undefined };
        this.#limit = notFollowed(error);
        this.#looks.now();
        this.#tell({ kind: 'limited', reason: this.#limit });
      });
  }

  #take(events: readonly FolderEvent[], watched: Watched): void {
    if (this.#watched !== watched) return;
    const { onChange } = this.#options;
    const changed = new Set<SubPath>();
    // With a folder that was moved, mounts in it were, too, of which the kernel does not tell.
    if (events.some(({ kind, isFolder }) => kind === 'left' && isFolder)) lookAtMountsAnew();
    let [isRootEnded, mayRootGo] = [false, false];
    for (const event of events) {
      if (event.kind === 'overflow') {
        changed.add(ROOT);
        this.#walk(ROOT);
        continue;
      }
      isRootEnded ||= this.#looks.isAbout(event);
      const folder = watched.folders.byWatch(event.watch);
      if (folder === undefined) continue;
      mayRootGo ||= event.kind === 'left' && folder.path === ROOT;
      if (event.kind === 'ended') isRootEnded ||= folder.path === ROOT;
      else if (event.kind === 'unwatched') this.#forget(folder.path, watched);
      else {
        const path = this.#changeIn(folder.path, event, watched);
        if (path !== undefined) changed.add(path);
      }
    }
    if (changed.size > 0) onChange(changed.has(ROOT) || changed.size > MAX_PATHS ? [ROOT] : [...changed]);
    if (isRootEnded || mayRootGo) this.#looks.now(mayRootGo);
  }

  /** @returns where something changed; undefined if nothing did that is shown */
  #changeIn(folder: SubPath, { kind, name, isFolder }: FolderEvent, watched: Watched): SubPath | undefined {
    // The event is about the folder itself. Its parent reports that, too, unless it is the root.
    if (name === '') return folder === ROOT ? ROOT : undefined;
    if (name === undefined) return folder;
    const path = childOf(folder, name);
    if (watched.isExcluded(path)) return undefined;
    if (isFolder) {
      if (kind === 'left') this.#forget(path, watched);
      else if (kind === 'appeared' || watched.folders.at(path) === undefined) this.#walk(path);
      return path;
    }
    if (!isIgnoreFile(name)) return path;
    setTimeout(() => {
      if (this.#watched === watched) this.#walk(folder);
    }, RULES_KNOWN_AFTER_MS).unref();
    return folder;
  }

  #forget(path: string, { folders, inotify }: Watched): void {
    for (const watch of folders.remove(path)) inotify?.unwatch(watch);
  }

  /** Watches a folder with everything below it. */
  #walk(path: SubPath): void {
    this.#toWalk.add(path);
    this.#walking ??= this.#walkAll().finally(() => {
      this.#walking = undefined;
      // These folders were added when the walk had just ended.
      for (const next of this.#toWalk) this.#walk(next);
    });
  }

  async #walkAll(): Promise<void> {
    for (const top of this.#toWalk) {
      const watched = this.#watched;
      if (watched === undefined) return;
      this.#toWalk.delete(top);
      if (top === ROOT) this.#limit = watched.inotify === undefined ? this.#limit : undefined;
      await this.#watchAll(top, watched);
      if (this.#watched !== watched || this.#closing.signal.aborted) continue;
      this.#tell(this.#limit === undefined ? { kind: 'watching' } : { kind: 'limited', reason: this.#limit });
      this.#options.onWatched(top);
    }
  }

  async #watchAll(top: SubPath, watched: Watched): Promise<void> {
    const left = [top];
    for (let path = left.pop(); path !== undefined && this.#watched === watched; path = left.pop()) {
      left.push(...(await this.#watchOne(path, watched)));
      if (performance.now() - this.#turnMs < TURN_MS) continue;
      await nextTurn();
      this.#turnMs = performance.now();
    }
  }

  /** @returns the folders in it */
  async #watchOne(path: SubPath, watched: Watched): Promise<SubPath[]> {
    const { root, inotify, folders } = watched;
    if (inotify === undefined || (path !== ROOT && folders.at(folderOf(path)) === undefined)) return [];
    try {
      const watch = root.withFolder(path, (handlePath) => {
        if ((this.#options.isForeign ?? isOnForeignDisk)(handlePath)) this.#limit ??= CHANGED_BY_OTHERS;
        return inotify.watch(handlePath);
      });
      for (const other of folders.put(path, watch)) inotify.unwatch(other);
      const entries = await root.listInTurns(path);
      if (this.#watched !== watched) return [];
      const inside = new Set(entries.flatMap(({ name, kind }) => (kind === 'directory' ? [name] : [])));
      for (const [name, { path: gone }] of folders.at(path)?.folders ?? []) {
        if (!inside.has(name)) this.#forget(gone, watched);
      }
      return [...inside].map((name) => childOf(path, name));
    } catch (error) {
      const limit = limitBy(error);
      if (limit === undefined) this.#forget(path, watched);
      else this.#limit = limit;
      return [];
    }
  }

  #tell(state: WatchState): void {
    if (this.#closing.signal.aborted || (this.#told && isSameState(state, this.#told))) return;
    this.#told = state;
    this.#options.onState(state);
  }
}
