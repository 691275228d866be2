import { MAX_WEIGHT } from '../core/graph-model.ts';
import { isoTime } from '../core/iso-time.ts';
import type { EdgeView, NodeView, RelationshipView } from '../graph/view.ts';
import type { MemoryGraph, MemoryNode, ShownEdge } from './memory-graph.ts';
import type { MemoryEdgeType } from './model.ts';

/**
 * A node of memory in the form of a node of the docs. Its confidence is that of the entry, or 1 if none was given. Its weight is the number of edges
 * that lead to it, from 1 to 5. Its sources are the paths in the mount of the entries that it comes from.
 */
export function memoryNodeView(graph: MemoryGraph, node: MemoryNode): NodeView<MemoryEdgeType> {
  const { label, type, description, confidence, degree, sources } = node;
  const incoming = graph.incoming(node);
  return {
    entity: label,
    type,
    description,
    weight: Math.max(1, Math.min(MAX_WEIGHT, incoming.length)),
    confidence,
    degree,
    sources,
    properties: { ...node.properties, ...datesOf(node.timesMs) },
    outgoing_relationships: graph.outgoing(node).map((edge) => relationship(edge, edge.to.display)),
    incoming_relationships: incoming.map((edge) => relationship(edge, edge.from.display)),
  };
}

/** ISO 8601. */
function datesOf(timesMs: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(timesMs).map(([name, ms]) => [name, isoTime(ms)]));
}

function relationship(
  { type, weight, confidence, evidence }: ShownEdge,
  node: string,
): RelationshipView<MemoryEdgeType> {
  return { edge_type: type, node, weight, confidence, evidence };
}

export function memoryEdgeView({
  from,
  type,
  to,
  weight,
  confidence,
  evidence,
}: ShownEdge): EdgeView<MemoryEdgeType> {
  return { source: from.display, edge_type: type, target: to.display, weight, confidence, evidence };
}
