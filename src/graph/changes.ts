import { compareEdgeTypes, type EdgeType, isEdgeType, type NodeType } from '../core/graph-model.ts';
import type { Store } from '../store/store.ts';

/** A name that is listed now and was not, or the other way round. */
export interface ListedName {
  readonly name: string;
  readonly type: NodeType;
}

/** What changed between two revisions of the graph. */
export interface GraphChanges {
  /** Nodes whose pages changed, new ones among them. */
  readonly nodes: readonly { readonly id: number; readonly name: string; readonly type: NodeType }[];
  /** Names that are listed anew, and names that are gone, each as of a type. One may have gone and come back. */
  readonly listed: readonly ListedName[];
  /** Types of edges of which one came, changed or went, or shows an end that has another name now. */
  readonly edgeTypes: readonly EdgeType[];
}

/**
 * What changed after a revision, whoever changed it.
 * @returns undefined where that is not known, or are more than `limit` nodes and names
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
