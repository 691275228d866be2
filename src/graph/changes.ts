import { compareEdgeTypes, type EdgeType, isEdgeType, type NodeType } from '../core/graph-model.ts';
import type { Store } from '../store/store.ts';

/** A name that was added to a listing, or removed from it. */
export interface ListedName {
  readonly name: string;
  readonly type: NodeType;
}

/** What has changed between two revisions of the graph. */
export interface GraphChanges {
  /** Nodes whose pages have changed, including new ones. */
  readonly nodes: readonly { readonly id: number; readonly name: string; readonly type: NodeType }[];
  /** Names that were added to listings or removed, each with its type. One may have been removed and added again. */
  readonly listed: readonly ListedName[];
  /** Types of which an edge was added, changed or removed, or shows an end with a new name. */
  readonly edgeTypes: readonly EdgeType[];
}

/**
 * What has changed since a revision, whoever has changed it.
 * @returns undefined if that is not known, or there are more than `limit` nodes and names
 */
export function changesSince(store: Store, revision: number, limit: number): GraphChanges | undefined {
  if (revision < Number(store.meta('gone_known_since') ?? 0)) return undefined;
  const nodes = store.nodes.changedSince(revision, limit + 1);
  const gone = store.listings.goneSince(revision, limit + 1);
  if (nodes.length + gone.length > limit) return undefined;
  const came = nodes.filter(({ listedRevision }) => listedRevision > revision);
  const lists = new Set<string>(store.listings.changedSince(revision));
  return {
    nodes,
    listed: [...came.map(({ name, type }) => ({ name, type })), ...gone],
    edgeTypes: [...lists].filter(isEdgeType).sort(compareEdgeTypes),
  };
}
