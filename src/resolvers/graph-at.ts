import { after } from '../core/awaitable.ts';
import { entriesOf, generatedTree, notFolder, type Place } from '../core/generated-tree.ts';
import { decodeName } from '../core/names.ts';
import { msToNs } from '../core/node-info.ts';
import { partsOf } from '../core/paths.ts';
import type { Awaitable, Resolver } from '../core/resolver.ts';

/** A commit with its time. */
export interface DatedCommit {
  /** The whole name, in hexadecimal. */
  readonly commit: string;
  readonly committedMs: number;
}

/** The graph at commits, as pages. */
export interface CommitPages {
  /** The commit that a Git revision means now; undefined if there is none. */
  commitOf(revision: string): Awaitable<DatedCommit | undefined>;
  /**
   * The content of `graph/nodes/<name>` at a commit, with a text that stands for its bytes; undefined if there was no such node. A commit that was
   * never recorded is read now. A caller that does not wait for that finds it later.
   */
  nodeAt(
    commit: string,
    name: string,
  ): Awaitable<{ readonly key: string; readonly text: string } | undefined>;
}

/**
 * The subtree `graph/at/`: the graph at commits. A commit under its whole name is a folder and never changes. Any other revision is a link to the
 * commit that it means at that moment. Folders in which names are looked up list nothing.
 */
export function graphAtResolver(pages: CommitPages, startedNs: bigint): Resolver {
  return {
    ...generatedTree('graph/at', (path) => placeAt(pages, startedNs, partsOf(path))),
    // Git moves branches and makes commits without a notification.
    tellsOfNew: () => false,
  };
}

function placeAt(
  pages: CommitPages,
  startedNs: bigint,
  [name, ...rest]: readonly string[],
): Awaitable<Place | undefined> {
  if (name === undefined) return { kind: 'directory', modifiedNs: startedNs, list: () => [] };
  if (name.startsWith('.')) return undefined;
  return after(pages.commitOf(decodeName(name)), (found): Awaitable<Place | undefined> => {
    if (found === undefined) return undefined;
    const modifiedNs = msToNs(found.committedMs);
    if (rest.length > 0) return placeIn(pages, found, rest);
    if (name !== found.commit) return { kind: 'link', modifiedNs, target: found.commit };
    return { kind: 'directory', modifiedNs, list: () => entriesOf('directory', ['nodes']) };
  });
}

/** @param parts below the commit */
function placeIn(
  pages: CommitPages,
  { commit, committedMs }: DatedCommit,
  [top, name, ...beyond]: readonly string[],
): Awaitable<Place | undefined> {
  const modifiedNs = msToNs(committedMs);
  if (top !== 'nodes') return undefined;
  if (name === undefined) return { kind: 'directory', modifiedNs, list: () => [] };
  if (name.startsWith('.')) return undefined;
  return after(pages.nodeAt(commit, name), (page) => {
    if (page === undefined) return undefined;
    if (beyond.length > 0) notFolder(name);
    return { kind: 'file', modifiedNs, pageKey: `at ${page.key}`, render: () => page.text };
  });
}
