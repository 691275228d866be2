import { after } from '../core/awaitable.ts';
import type { Clock } from '../core/clock.ts';
import type { ErrorLog } from '../core/error-log.ts';
import type { ReadSoFar } from '../core/first-reading.ts';
import { entriesOf, generatedTree, notFolder, type Place } from '../core/generated-tree.ts';
import type { HistoryRecorder } from '../core/history-event.ts';
import { Listeners } from '../core/listeners.ts';
import { msToNs } from '../core/node-info.ts';
import { parsePath, partsOf, type SubPath } from '../core/paths.ts';
import type { Awaitable, Resolver, Unsubscribe } from '../core/resolver.ts';
import type { SearchEngine } from '../core/search.ts';
import { linkTo } from '../graph-tree/link-place.ts';
import type { SimilarNames } from '../retrieval/nothing-found.ts';
import { AskedQueries } from '../search-tree/asked-queries.ts';
import { pinChanges } from '../search-tree/pin-changes.ts';
import { PinnedFolders } from '../search-tree/pinned-folders.ts';
import { PINNED, type Pins, pinnedPath } from '../search-tree/pins.ts';
import { isQueryName, queryOf } from '../search-tree/query-name.ts';
import { HITS_SHOWN, QueryPages } from '../search-tree/query-pages.ts';

export interface SearchResolverParts {
  readonly engine: SearchEngine;
  readonly pins: Pins;
  /** For queries that find nothing. */
  readonly similar: SimilarNames;
  readonly readSoFar: ReadSoFar;
  /** Calls the listener when anything has changed on which answers depend. */
  readonly subscribe: (listener: () => void) => Unsubscribe;
  readonly record: HistoryRecorder;
  /** Is told of refusals whose reason nobody can guess from the errno. */
  readonly errors: ErrorLog;
  readonly clock: Clock;
  /** When the tree was made. */
  readonly startedMs: number;
}

/** The first inode number of pinned queries, which keep theirs when they are renamed. Those of memory are below, and those of paths above. */
const FIRST_INODE = 2 ** 50;

/**
 * The subtree `search/`: `<query>` is a page with what it finds. Such names are looked up and not listed. `pinned/<query>/` is a folder of links to
 * the same, best first. It is made with mkdir and removed with rmdir.
 */
export function searchResolver(parts: SearchResolverParts): Resolver {
  const { engine, pins, record, subscribe } = parts;
  let changes = 0;
  const pages = new QueryPages(parts);
  const folders = new PinnedFolders({ ...parts, revision: () => `${engine.revision()} ${changes}` });
  const asked = new AskedQueries((paths) => listeners.tell(paths));
  const generated = generatedTree('search', (path) =>
    placeAt({ ...parts, pages, folders, asked }, partsOf(path)),
  );
  const listeners = new Listeners<[paths: readonly SubPath[]]>();
  subscribe(() => {
    changes += 1;
    folders.contentChanged();
    asked.contentChanged();
  });
  folders.onMove((paths) => listeners.tell(paths.map(pinnedPath)));
  pins.onChange((names) => {
    for (const name of names) folders.drop(name);
    listeners.tell(names.map(pinnedPath));
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
    onChange: (listener) => listeners.add(listener),
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

/** Only the owner may read it: names of links may be those of memories. */
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
