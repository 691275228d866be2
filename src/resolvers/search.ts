import { setTimeout } from 'node:timers';
import { after } from '../core/awaitable.ts';
import type { Clock } from '../core/clock.ts';
import type { ErrorLog } from '../core/error-log.ts';
import { type ErrnoCode, FsError, isFsError } from '../core/errors.ts';
import type { ReadSoFar } from '../core/first-reading.ts';
import { entriesOf, generatedTree, notFolder, type Place } from '../core/generated-tree.ts';
import type { HistoryRecorder } from '../core/history-event.ts';
import { msToNs } from '../core/node-info.ts';
import { ALL_BELOW, parsePath, partsOf, type SubPath } from '../core/paths.ts';
import type { Awaitable, ChangeListener, OpContext, Resolver, Unsubscribe } from '../core/resolver.ts';
import type { SearchEngine } from '../core/search.ts';
import { linkTo } from '../graph-tree/places.ts';
import type { SimilarNames } from '../retrieval/nothing-found.ts';
import { PinnedFolders } from '../search-tree/pinned-folders.ts';
import type { Pins } from '../search-tree/pins.ts';
import { isQueryName, queryOf } from '../search-tree/query-name.ts';
import { HITS_SHOWN, QueryPages } from '../search-tree/query-pages.ts';

export interface SearchResolverParts {
  readonly engine: SearchEngine;
  readonly pins: Pins;
  /** For what finds nothing. */
  readonly similar: SimilarNames;
  readonly readSoFar: ReadSoFar;
  /** Calls the listener when anything changed that answers stand on. */
  readonly subscribe: (listener: () => void) => Unsubscribe;
  readonly record: HistoryRecorder;
  /** Takes the reasons of refusals that nobody can guess. */
  readonly errors: ErrorLog;
  readonly clock: Clock;
  /** When the tree came to be. */
  readonly startedMs: number;
}

const PINNED = 'pinned';
/** Queries whose pages the kernel may know; where there are more, all of the tree is told of. */
const MAX_ASKED = 1000;
/** Of pages that somebody looked at is told at most this often. */
const TELL_EVERY_MS = 250;
/** Inode numbers of pinned queries, which keep theirs under another name. Those of memory are below, those of paths above. */
const FIRST_INODE = 2 ** 50;

/**
 * The subtree `search/`: `<query>` is a page of what it finds, looked up and not listed; `pinned/<query>/` a folder of links to that, best
 * first, made with mkdir and removed with rmdir.
 */
export function searchResolver(parts: SearchResolverParts): Resolver {
  const { engine, pins, record, subscribe } = parts;
  let changes = 0;
  const pages = new QueryPages(parts);
  const folders = new PinnedFolders({ ...parts, revision: () => `${engine.revision()} ${changes}` });
  const asked = new AskedQueries((paths) => tell(paths));
  const generated = generatedTree('search', (path) =>
    placeAt({ ...parts, pages, folders, asked }, partsOf(path)),
  );
  const listeners = new Set<ChangeListener>();
  const tell = (paths: readonly SubPath[]) => {
    for (const listener of listeners) listener(paths);
  };
  subscribe(() => {
    changes += 1;
    folders.contentChanged();
    asked.contentChanged();
  });
  folders.onMove((paths) => tell(paths.map(pinnedPath)));
  pins.onChange((names) => {
    for (const name of names) folders.drop(name);
    tell(names.map(pinnedPath));
  });

  return {
    ...generated,
    open: (path, context, known) =>
      after(generated.open(path, context, known), (file) =>
        after(pages.page(queryOf(path)), ({ hits }) => {
          const data = { query: queryOf(path), limit: HITS_SHOWN, hits };
          record({ type: 'search', path: parsePath(`/search/${path}`), data, context });
          return file;
        }),
      ),
    ...pinChanges(parts, generated),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What mkdir, rmdir and mv do here: queries are pinned, and pinned no more. */
function pinChanges(
  { pins, errors }: Pick<SearchResolverParts, 'pins' | 'errors'>,
  generated: Pick<Resolver, 'stat'>,
): Pick<Resolver, 'makeFolder' | 'removeFolder' | 'rename'> {
  function refuse(code: ErrnoCode, path: string, why: string): never {
    errors.add({ code, path: `/search/${path}`, message: why });
    throw new FsError(code, path, why);
  }

  /** The name of a pin that is to be made. @throws FsError */
  function newPinAt(path: SubPath): string {
    const [top = '', name, ...beyond] = partsOf(path);
    if (top !== PINNED && !isQueryName(top)) {
      refuse('EROFS', path, 'folders are made in search/pinned/ only: mkdir "search/pinned/<query>"');
    }
    if (name === undefined) throw new FsError('EEXIST', path, 'there is something of this name already');
    if (top !== PINNED) notFolder(path);
    if (beyond.length > 0) {
      if (pins.get(name) === undefined) throw new FsError('ENOENT', path, 'no such query is pinned');
      refuse('EROFS', path, 'what a pinned query finds is linked here by itself');
    }
    if (name.startsWith('.') || queryOf(name).trim() === '') {
      refuse('EINVAL', path, 'this can be no query: it is blank, or begins with a dot');
    }
    return name;
  }

  /** Tells why, where that is none of a pin's name. */
  function change(path: SubPath, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (isFsError(error, 'ENOSPC')) refuse('ENOSPC', path, error.why);
      throw error;
    }
  }

  /** The name of a pin. @throws FsError ENOENT; EROFS and the like for all else that is there */
  function pinAt(path: SubPath, context: OpContext, whereFile: 'ENOTDIR' | 'EROFS'): Awaitable<string> {
    const [top, name, ...beyond] = partsOf(path);
    if (top === PINNED && name !== undefined && beyond.length === 0 && pins.get(name)) return name;
    if (path === PINNED) throw new FsError('EBUSY', path, 'this folder is a part of the tree');
    return after(generated.stat(path, context), () => {
      throw new FsError(whereFile, path, 'only pinned queries can be changed here');
    });
  }

  return {
    makeFolder(path, _mode, context) {
      const name = newPinAt(path);
      change(path, () => pins.add(name, context));
    },
    removeFolder: (path, context) =>
      after(pinAt(path, context, 'ENOTDIR'), (name) => pins.remove(name, context)),
    rename: (from, to, context, use) =>
      after(pinAt(from, context, 'EROFS'), (name) => {
        if (use === 'exchange') throw new FsError('EINVAL', from, 'pinned queries cannot be exchanged');
        const newName = newPinAt(to);
        if (newName === name) return;
        if (pins.get(newName)) {
          throw new FsError(use === 'keep' ? 'EEXIST' : 'ENOTEMPTY', to, 'this query is pinned already');
        }
        change(to, () => pins.rename(name, newName, context));
      }),
  };
}

interface Tree extends Pick<SearchResolverParts, 'pins' | 'startedMs'> {
  readonly pages: QueryPages;
  readonly folders: PinnedFolders;
  readonly asked: AskedQueries;
}

function placeAt(tree: Tree, [top, ...rest]: readonly string[]): Awaitable<Place | undefined> {
  if (top === undefined) {
    const list = () => entriesOf('directory', [PINNED]);
    return { kind: 'directory', modifiedNs: msToNs(tree.startedMs), list };
  }
  if (top === PINNED) return pinnedPlace(tree, rest);
  if (!isQueryName(top)) return undefined;
  if (rest.length > 0) notFolder(top);
  tree.asked.add(top);
  return after(tree.pages.page(queryOf(top)), ({ key, bytes, changedMs, isPrivate }) => ({
    kind: 'file',
    modifiedNs: msToNs(changedMs),
    pageKey: key,
    render: () => bytes,
    isPrivate,
    changesUntold: true,
  }));
}

/** Its owner's alone: names of links may be those of memories. */
function pinnedPlace(
  { pins, folders, startedMs }: Tree,
  [name, linkName, ...beyond]: readonly string[],
): Awaitable<Place | undefined> {
  if (name === undefined) {
    const modifiedNs = msToNs(Math.max(startedMs, pins.changedMs()));
    const names = () => pins.all().map((pin) => pin.name);
    return { kind: 'directory', modifiedNs, list: () => entriesOf('directory', names()), isPrivate: true };
  }
  const pin = pins.get(name);
  if (pin === undefined) return undefined;
  const folder = () => folders.folder(name, pin.madeMs);
  if (linkName === undefined) {
    const modifiedNs = msToNs(folders.known(name)?.changedMs ?? pin.madeMs);
    const list = () => after(folder(), ({ links }) => entriesOf('link', links.keys()));
    return { kind: 'directory', modifiedNs, list, isPrivate: true, inode: FIRST_INODE + pin.id };
  }
  if (linkName.startsWith('.')) return undefined;
  return after(folder(), ({ links }) => {
    const link = links.get(linkName);
    return link && linkTo(link.target, msToNs(link.sinceMs), beyond);
  });
}

function pinnedPath(name: string): SubPath {
  return `${PINNED}/${name}` as SubPath;
}

/** Names below `search/` that somebody looked at, to tell of them when content changes to those who keep what they know for a while. */
class AskedQueries {
  readonly #names = new Set<string>();
  readonly #tell: (paths: readonly SubPath[]) => void;
  #timer: NodeJS.Timeout | undefined;
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(tell: (paths: readonly SubPath[]) => void) {
    this.#tell = tell;
  }

  add(name: string): void {
    if (this.#names.size <= MAX_ASKED) this.#names.add(name);
  }

  contentChanged(): void {
    if (this.#names.size === 0) return;
    const waitMs = Math.max(0, this.#toldMs + TELL_EVERY_MS - performance.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#toldMs = performance.now();
      const paths =
        this.#names.size > MAX_ASKED ? ALL_BELOW : Array.from(this.#names, (name) => name as SubPath);
      this.#names.clear();
      this.#tell(paths);
    }, waitMs).unref();
  }
}
