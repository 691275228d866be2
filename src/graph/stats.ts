import { withBuiltInEdgeTypes, withBuiltInNodeTypes } from '../core/graph-model.ts';
import { sum } from '../core/sum.ts';
import type { Store } from '../store/store.ts';
import { graphCounts } from './counts.ts';

export interface GraphStats {
  readonly totalNodes: number;
  readonly nodesByType: Readonly<Record<string, number>>;
  readonly totalEdges: number;
  readonly edgesByType: Readonly<Record<string, number>>;
  /** The number of edges per ordered pair of nodes: from 0 to 1, or more if pairs have several edges. */
  readonly density: number;
  readonly revision: number;
  /** Undefined before the first build. */
  readonly builtAtMs: number | undefined;
  /** The number of sections of all documents. */
  readonly sections: number;
}

/** The size of the graph. */
export function graphStats(store: Store): GraphStats {
  const { nodes, edges } = graphCounts(store);
  const totalNodes = sum(nodes.values());
  const totalEdges = sum(edges.values());
  return {
    totalNodes,
    nodesByType: Object.fromEntries(
      withBuiltInNodeTypes(nodes.keys()).map((type) => [type, nodes.get(type) ?? 0]),
    ),
    totalEdges,
    edgesByType: Object.fromEntries(
      withBuiltInEdgeTypes(edges.keys()).map((type) => [type, edges.get(type) ?? 0]),
    ),
    density: totalNodes < 2 ? 0 : Number((totalEdges / (totalNodes * (totalNodes - 1))).toFixed(6)),
    revision: store.revision(),
    builtAtMs: builtAtMs(store),
    sections: store.outlines.sectionCount(),
  };
}

/** When the graph last changed; undefined before the first build. */
export function builtAtMs(store: Store): number | undefined {
  const text = store.meta('built_at_ms');
  return text === undefined ? undefined : Number(text);
}
