import { fileOf, MadePages, type MadePagesParts } from '../context/pages.ts';
import { after } from '../core/awaitable.ts';
import { generatedTree, notFolder, type Place } from '../core/generated-tree.ts';
import { msToNs } from '../core/node-info.ts';
import { ALL_BELOW, partsOf } from '../core/paths.ts';
import type { Awaitable, Resolver, Unsubscribe } from '../core/resolver.ts';
import { isQueryName, queryOf } from '../search-tree/query-name.ts';

export interface ContextForParts extends Omit<MadePagesParts, 'name'> {
  /** Calls the listener when anything has changed from which contexts are made. */
  readonly subscribe: (listener: () => void) => Unsubscribe;
  /** When the tree was made. */
  readonly startedMs: number;
}

/** The subtree `context/for/`: `<question>` is a context for it. Names are looked up and not listed, and only the owner may read them. */
export function contextForResolver({ subscribe, startedMs, ...making }: ContextForParts): Resolver {
  const pages = new MadePages({ ...making, name: 'context' });
  return {
    ...generatedTree('context/for', (path) => placeAt(pages, startedMs, partsOf(path))),
    onChange: (listener) => subscribe(() => listener(ALL_BELOW)),
  };
}

function placeAt(
  pages: MadePages,
  startedMs: number,
  [name, ...rest]: readonly string[],
): Awaitable<Place | undefined> {
  if (name === undefined) {
    return { kind: 'directory', modifiedNs: msToNs(startedMs), list: () => [], isPrivate: true };
  }
  const question = queryOf(name);
  if (!isQueryName(name) || question.trim() === '') return undefined;
  if (rest.length > 0) notFolder(name);
  return after(pages.page(question), (page) => page && { ...fileOf(page), isPrivate: true });
}
