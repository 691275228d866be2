import { fileOf, MadePages, type MadePagesParts } from '../context/pages.ts';
import { after } from '../core/awaitable.ts';
import { generatedTree, type Place } from '../core/generated-tree.ts';
import { msToNs } from '../core/node-info.ts';
import { ALL_BELOW, partsOf } from '../core/paths.ts';
import type { Awaitable, Resolver, Unsubscribe } from '../core/resolver.ts';

export interface ContextSummaryParts extends Omit<MadePagesParts, 'name'> {
  /** Whether there is a document at a path of the docs, or a folder with one. */
  docsAt(path: string): 'document' | 'folder' | undefined;
  /** Calls the listener when the docs have changed. */
  readonly subscribe: (listener: () => void) => Unsubscribe;
  /** When the tree was made. */
  readonly startedMs: number;
}

const DOCS = 'docs';
const ENDING = '.md';

/**
 * The subtree `context/summary/`: `docs/<path>` is a summary of that document, `docs/<folder>.md` one of the folder, `docs.md` that of everything.
 * Nothing is listed. For a document without the ending `.md`, that is added to its own.
 */
export function contextSummaryResolver(parts: ContextSummaryParts): Resolver {
  const pages = new MadePages({ ...parts, name: 'summary' });
  return {
    ...generatedTree('context/summary', (path) => placeAt(parts, pages, partsOf(path))),
    onChange: (listener) => parts.subscribe(() => listener(ALL_BELOW)),
  };
}

function placeAt(
  { docsAt, startedMs }: ContextSummaryParts,
  pages: MadePages,
  names: readonly string[],
): Awaitable<Place | undefined> {
  const folder: Place = { kind: 'directory', modifiedNs: msToNs(startedMs), list: () => [] };
  const [top, ...rest] = names;
  if (top === undefined) return folder;
  if (names.some((name) => name.startsWith('.'))) return undefined;
  if (names.length === 1 && top === `${DOCS}${ENDING}`) return pageOf(pages, '');
  if (top !== DOCS) return undefined;
  const path = rest.join('/');
  if (path === '' || docsAt(path) === 'folder') return folder;
  if (!path.endsWith(ENDING)) return undefined;
  const named = path.slice(0, -ENDING.length);
  return docsAt(path) === 'document' || docsAt(named) !== undefined ? pageOf(pages, named) : undefined;
}

/** @param path of a document or folder, without `.md` */
function pageOf(pages: MadePages, path: string): Awaitable<Place | undefined> {
  return after(pages.page(path), (page) => page && fileOf(page));
}
