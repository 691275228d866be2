import type { EdgeType } from '../core/graph-model.ts';
import { isoTime } from '../core/iso-time.ts';
import type { Relation, TypedEdge } from '../store/edges.ts';
import type { ShownNode } from '../store/nodes.ts';
import type { PathStep } from './paths.ts';
import type { GraphQueries, Relations } from './queries.ts';
import type { GraphStats } from './stats.ts';

/** One relationship as a node's page shows it, seen from the node. `Edge` has more types for nodes of memory. */
export interface RelationshipView<Edge extends string = EdgeType> {
  readonly edge_type: Edge;
  readonly node: string;
  readonly weight: number;
  readonly confidence: number;
  readonly evidence: readonly string[];
  /** The model that has found it; absent if a rule has. */
  readonly extracted_by?: string;
}

/** A node in the form of `graph/nodes/<name>`, `graph/memory/nodes/<name>` and `kgraphfs query --json`. */
export interface NodeView<Edge extends string = EdgeType> {
  readonly entity: string;
  readonly type: string;
  readonly description: string;
  readonly weight: number;
  readonly confidence: number;
  readonly degree: number;
  readonly sources: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  readonly outgoing_relationships: readonly RelationshipView<Edge>[];
  readonly incoming_relationships: readonly RelationshipView<Edge>[];
}

/** An edge in the form of `graph/edges/<type>.jsonl` and `graph/memory/edges/<type>.jsonl`. */
export interface EdgeView<Edge extends string = EdgeType> {
  readonly source: string;
  readonly edge_type: Edge;
  readonly target: string;
  readonly weight: number;
  readonly confidence: number;
  readonly evidence: readonly string[];
}

/** A path in the form of `graph/path/<from>/<to>`, without the places that state its edges. */
export interface PathView {
  readonly source: string;
  readonly target: string;
  /** The number of edges. */
  readonly path_length: number;
  readonly path: readonly {
    readonly node: string;
    readonly type: string;
    readonly edge_to_next: EdgeType | null;
    /** `out` if the edge points along the path, `in` if against it. */
    readonly direction: 'out' | 'in' | null;
  }[];
}

/** The numbers of nodes and edges by type. All types are there, even with 0. */
export interface CountsView {
  readonly total_nodes: number;
  readonly nodes_by_type: Readonly<Record<string, number>>;
  readonly total_edges: number;
  readonly edges_by_type: Readonly<Record<string, number>>;
}

/**
 * `graph/stats.json` and `kgraphfs stats --json`. The counts at the top are those of the graph of the docs, which `graph/nodes` and `graph/edges`
 * list. Those of the graph of memory, which `graph/memory` lists, are separate.
 */
export interface StatsView extends CountsView {
  readonly sections: number;
  readonly density: number;
  readonly revision: number;
  /** ISO 8601; null before the first build. */
  readonly built_at: string | null;
  /** Absent if there is no memory. */
  readonly memory?: CountsView;
}

export function nodeView(graph: Pick<GraphQueries, 'relations'>, node: ShownNode): NodeView {
  return viewOf(node, graph.relations(node.id));
}

export function viewOf(node: ShownNode, { outgoing, incoming }: Relations): NodeView {
  return {
    entity: node.display,
    type: node.type,
    description: node.description,
    weight: node.weight,
    confidence: node.confidence,
    degree: outgoing.length + incoming.length,
    sources: node.sources,
    properties: node.properties,
    outgoing_relationships: outgoing.map(relationship),
    incoming_relationships: incoming.map(relationship),
  };
}

function relationship({
  type,
  display,
  weight,
  confidence,
  evidence,
  extractedBy,
}: Relation): RelationshipView {
  const provenance = extractedBy === undefined ? {} : { extracted_by: extractedBy };
  return { edge_type: type, node: display, weight, confidence, evidence, ...provenance };
}

/** JSON with one relationship per line, so that `grep` finds a whole relation. There is a line feed at the end. */
export function nodeText(view: NodeView<string>): string {
  // Written out, since a walk over the mount makes a page of every node.
  return `{
  "entity": ${JSON.stringify(view.entity)},
  "type": ${JSON.stringify(view.type)},
  "description": ${JSON.stringify(view.description)},
  "weight": ${view.weight},
  "confidence": ${view.confidence},
  "degree": ${view.degree},
  "sources": ${textList(view.sources)},
  "properties": ${spaced(view.properties)},
  "outgoing_relationships": ${relationshipLines(view.outgoing_relationships)},
  "incoming_relationships": ${relationshipLines(view.incoming_relationships)}
}
`;
}

function relationshipLines(relationships: readonly RelationshipView<string>[]): string {
  let lines = '';
  for (const relationship of relationships) {
    lines += lines === '' ? '\n    ' : ',\n    ';
    lines += relationshipLine(relationship);
  }
  return lines === '' ? '[]' : `[${lines}\n  ]`;
}

function relationshipLine({
  edge_type,
  node,
  weight,
  confidence,
  evidence,
  extracted_by,
}: RelationshipView<string>): string {
  const provenance = extracted_by === undefined ? '' : `, "extracted_by": ${JSON.stringify(extracted_by)}`;
  return `{"edge_type": "${edge_type}", "node": ${JSON.stringify(node)}, "weight": ${weight}, "confidence": ${confidence}, "evidence": ${textList(evidence)}${provenance}}`;
}

function textList(texts: readonly string[]): string {
  let list = '';
  for (const text of texts) list += list === '' ? JSON.stringify(text) : `, ${JSON.stringify(text)}`;
  return `[${list}]`;
}

/** A line of `graph/edges/<type>.jsonl`, in the form of {@link spaced}. A large graph has hundreds of thousands of them. */
export function edgeLine({ source, edge_type, target, ...rest }: EdgeView<string>): string {
  const { weight, confidence, evidence } = rest;
  return `{"source": ${JSON.stringify(source)}, "edge_type": "${edge_type}", "target": ${JSON.stringify(target)}, "weight": ${weight}, "confidence": ${confidence}, "evidence": ${textList(evidence)}}`;
}

/** JSON on one line, with a space after each colon and each comma between values. */
export function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${spaced(field)}`);
    return `{${fields.join(', ')}}`;
  }
  return JSON.stringify(value);
}

export function edgeView(edge: TypedEdge): EdgeView {
  const { type, weight, confidence, evidence } = edge;
  return {
    source: edge.sourceDisplay,
    edge_type: type,
    target: edge.targetDisplay,
    weight,
    confidence,
    evidence,
  };
}

export function pathView(graph: GraphQueries, path: readonly PathStep[]): PathView {
  const steps = path.map(({ id, edge }) => {
    const node = graph.nodeById(id);
    if (node === undefined) throw new Error(`a path led through node ${id}, which is not there`);
    return {
      node: node.display,
      type: node.type,
      edge_to_next: edge?.type ?? null,
      direction: edge?.direction ?? null,
    };
  });
  return {
    source: steps.at(0)?.node ?? '',
    target: steps.at(-1)?.node ?? '',
    path_length: Math.max(steps.length - 1, 0),
    path: steps,
  };
}

export function statsView(stats: GraphStats, memory?: Counts): StatsView {
  return {
    ...countsView(stats),
    sections: stats.sections,
    density: stats.density,
    revision: stats.revision,
    built_at: isoTime(stats.builtAtMs) ?? null,
    ...(memory === undefined ? {} : { memory: countsView(memory) }),
  };
}

type Counts = Pick<GraphStats, 'totalNodes' | 'nodesByType' | 'totalEdges' | 'edgesByType'>;

function countsView({ totalNodes, nodesByType, totalEdges, edgesByType }: Counts): CountsView {
  return {
    total_nodes: totalNodes,
    nodes_by_type: nodesByType,
    total_edges: totalEdges,
    edges_by_type: edgesByType,
  };
}
