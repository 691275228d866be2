import type { EdgeType, NodeType } from '../core/graph-model.ts';
import type { Store } from '../store/store.ts';

/** The numbers of nodes and edges by type, for types that occur. */
export interface GraphCounts {
  readonly nodes: ReadonlyMap<NodeType, number>;
  readonly edges: ReadonlyMap<EdgeType, number>;
}

/** Counting takes tens of milliseconds in a large graph, so whoever changes the graph stores the counts. */
export function graphCounts(store: Store): GraphCounts {
  return keptCounts(store) ?? { nodes: store.nodes.countsByType(), edges: store.edges.countsByType() };
}

function keptCounts(store: Store): GraphCounts | undefined {
  const kept = store.meta('counts');
  if (kept === undefined) return undefined;
  const { nodes, edges } = JSON.parse(kept);
  return { nodes: new Map(nodes), edges: new Map(edges) };
}

/** How counts change while the graph is being changed. */
export class CountChanges {
  readonly #nodes = new Map<NodeType, number>();
  readonly #edges = new Map<EdgeType, number>();

  node(type: NodeType, by: 1 | -1): void {
    this.#nodes.set(type, (this.#nodes.get(type) ?? 0) + by);
  }

  edge(type: EdgeType, by: 1 | -1): void {
    this.#edges.set(type, (this.#edges.get(type) ?? 0) + by);
  }

  /** Stores the new counts. To be called when all changes are in the tables. */
  keep(store: Store): void {
    const before = keptCounts(store);
    const { nodes, edges } =
      before === undefined
        ? graphCounts(store)
        : { nodes: sum(before.nodes, this.#nodes), edges: sum(before.edges, this.#edges) };
    store.setMeta('counts', JSON.stringify({ nodes: [...nodes], edges: [...edges] }));
    this.#nodes.clear();
    this.#edges.clear();
  }
}

/** Sums by type, without those that are 0. */
function sum<Type extends string>(
  before: ReadonlyMap<Type, number>,
  changes: ReadonlyMap<Type, number>,
): ReadonlyMap<Type, number> {
  const totals = new Map(before);
  for (const [type, by] of changes) totals.set(type, (totals.get(type) ?? 0) + by);
  const there = [...totals].filter(([, total]) => total > 0);
  return new Map(there.sort(([a], [b]) => (a < b ? -1 : 1)));
}
