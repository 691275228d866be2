import { EDGE_TYPES, type EdgeType, NODE_TYPES, type NodeType } from '../core/graph-model.ts';
import type { StoredEdge } from '../store/edges.ts';
import type { NodeIdentity, NodeReference, StoredNode } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import { findNode, type NameMatch, similarNames } from './lookup.ts';
import { type PathStep, shortestPath } from './paths.ts';

export type Direction = 'out' | 'in' | 'both';

export interface NeighbourOptions {
  /** Default: both. */
  readonly direction?: Direction;
  /** Default: every type. */
  readonly edgeTypes?: readonly EdgeType[];
}

/** Nodes around one node, and every edge among them. */
export interface Subgraph {
  readonly nodes: readonly StoredNode[];
  readonly edges: readonly StoredEdge[];
  /** True where nodes were left out because of the limit. */
  readonly truncated: boolean;
}

export interface GraphStats {
  readonly totalNodes: number;
  readonly nodesByType: Readonly<Record<string, number>>;
  readonly totalEdges: number;
  readonly edgesByType: Readonly<Record<string, number>>;
  /** Edges for each ordered pair of nodes, from 0 to 1 and above where a pair has several. */
  readonly density: number;
  readonly revision: number;
  /** Undefined before the first build. */
  readonly builtAtMs: number | undefined;
}

/** Questions about the graph: the one interface used by the mount, the command line and tools. */
export interface GraphQueries {
  revision(): number;
  /** When the graph last changed; undefined before the first build. */
  builtAtMs(): number | undefined;
  /** By listed name, identity, or a name that differs in case and punctuation only. */
  node(name: string): StoredNode | undefined;
  /** As `node`, but only what it takes to show that it is there. */
  reference(name: string): NodeReference | undefined;
  nodeById(id: number): StoredNode | undefined;
  /** Names like this one, best first: for "did you mean" and for search by name. */
  similar(text: string, limit: number): NameMatch[];
  names(): { name: string; type: NodeType }[];
  /** Of every node, by key. */
  identities(): NodeIdentity[];
  /** In name order. */
  nodes(filter?: { type?: NodeType; minDegree?: number }): StoredNode[];
  /** Specific edge types first, then by weight, then by the label at the other end. */
  outgoing(node: StoredNode): StoredEdge[];
  incoming(node: StoredNode): StoredEdge[];
  neighbours(node: StoredNode, options?: NeighbourOptions): StoredEdge[];
  edgesOfType(type: EdgeType): Iterable<StoredEdge>;
  edges(): Iterable<StoredEdge>;
  /** @see shortestPath */
  path(from: StoredNode, to: StoredNode): PathStep[] | undefined;
  subgraph(center: StoredNode, depth: number, maxNodes: number): Subgraph;
  stats(): GraphStats;
}

export function graphQueries(store: Store): GraphQueries {
  const outgoing = (node: StoredNode) =>
    store.edges.outgoing(node.id).sort(byRank((edge) => edge.targetDisplay));
  const incoming = (node: StoredNode) =>
    store.edges.incoming(node.id).sort(byRank((edge) => edge.sourceDisplay));
  return {
    revision: () => store.revision(),
    builtAtMs: () => builtAtMs(store),
    node: (name) => findNode(store, name),
    reference: (name) => store.nodes.reference(name) ?? findNode(store, name),
    nodeById: (id) => store.nodes.byId(id),
    similar: (text, limit) => similarNames(store, text, limit),
    names: () => store.nodes.names(),
    identities: () => store.nodes.identities(),
    nodes: ({ type, minDegree = 0 } = {}) =>
      [...store.nodes.all()].filter((node) => (!type || node.type === type) && node.degree >= minDegree),
    outgoing,
    incoming,
    neighbours(node, { direction = 'both', edgeTypes = EDGE_TYPES } = {}) {
      const found = [
        ...(direction === 'in' ? [] : outgoing(node)),
        ...(direction === 'out' ? [] : incoming(node)),
      ];
      return found.filter(({ type }) => edgeTypes.includes(type));
    },
    edgesOfType: (type) => store.edges.ofType(type),
    edges: () => store.edges.all(),
    path: (from, to) => shortestPath(store, from.id, to.id),
    subgraph: (center, depth, maxNodes) => subgraph(store, center, depth, maxNodes),
    stats: rememberedByRevision(store, () => stats(store)),
  };
}

function byRank(otherEnd: (edge: StoredEdge) => string): (a: StoredEdge, b: StoredEdge) => number {
  return (a, b) =>
    EDGE_TYPES.indexOf(a.type) - EDGE_TYPES.indexOf(b.type) ||
    b.weight - a.weight ||
    (otherEnd(a) < otherEnd(b) ? -1 : 1);
}

/** Breadth-first from the center; nearer nodes are kept where the limit cuts. */
function subgraph(store: Store, center: StoredNode, depth: number, maxNodes: number): Subgraph {
  const reached = new Set([center.id]);
  let frontier = [center.id];
  let truncated = false;
  for (let level = 0; level < depth && frontier.length > 0; level += 1) {
    const next: number[] = [];
    for (const { id } of frontier.flatMap((from) => store.edges.steps(from))) {
      if (reached.has(id)) continue;
      truncated ||= reached.size >= maxNodes;
      if (truncated) continue;
      reached.add(id);
      next.push(id);
    }
    frontier = next;
  }
  const nodes = [...reached].flatMap((id) => store.nodes.byId(id) ?? []);
  const edges = nodes.flatMap(({ id }) =>
    store.edges.outgoing(id).filter(({ targetId }) => reached.has(targetId)),
  );
  return { nodes, edges: edges.sort(byRank((edge) => edge.targetDisplay)), truncated };
}

function stats(store: Store): GraphStats {
  const nodes = store.nodes.countsByType();
  const edges = store.edges.countsByType();
  const totalNodes = sum(nodes.values());
  const totalEdges = sum(edges.values());
  return {
    totalNodes,
    nodesByType: Object.fromEntries(NODE_TYPES.map((type) => [type, nodes.get(type) ?? 0])),
    totalEdges,
    edgesByType: Object.fromEntries(EDGE_TYPES.map((type) => [type, edges.get(type) ?? 0])),
    density: totalNodes < 2 ? 0 : Number((totalEdges / (totalNodes * (totalNodes - 1))).toFixed(6)),
    revision: store.revision(),
    builtAtMs: builtAtMs(store),
  };
}

/** Counting all nodes and edges takes tens of milliseconds in a large graph; it changes with the revision only. */
function rememberedByRevision<Answer>(store: Store, ask: () => Answer): () => Answer {
  let known: { readonly revision: number; readonly answer: Answer } | undefined;
  return () => {
    const revision = store.revision();
    if (known?.revision !== revision) known = { revision, answer: ask() };
    return known.answer;
  };
}

function builtAtMs(store: Store): number | undefined {
  const text = store.meta('built_at_ms');
  return text === undefined ? undefined : Number(text);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
