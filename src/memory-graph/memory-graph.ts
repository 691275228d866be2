import type { Clock } from '../core/clock.ts';
import type { NodeKey, NodeType } from '../core/graph-model.ts';
import { decodeName } from '../core/names.ts';
import type { Awaitable, Unsubscribe } from '../core/resolver.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { Memory } from '../memory/memory.ts';
import { compareTexts } from '../text/compare-texts.ts';
import { FollowedMemory } from './followed-memory.ts';
import type { EdgeChange, Ledger, LedgerNode } from './ledger.ts';
import type { SessionSource } from './memory-feed.ts';
import {
  MEMORY_EDGE_TYPES,
  MEMORY_NODE_TYPES,
  type MemoryEdge,
  type MemoryEdgeType,
  type MemoryNodeType,
  type NodeId,
} from './model.ts';
import { topicId } from './node-names.ts';
import { type Side, sideNamesOf, sideOf } from './sides.ts';

export interface MemoryNode extends LedgerNode {
  /** The number of edges in both directions. */
  readonly degree: number;
}

/** One end of an edge, as it is shown. */
export interface MemoryEnd {
  readonly id: NodeId;
  readonly home: 'memory' | 'docs';
  readonly type: MemoryNodeType | NodeType;
  readonly display: string;
  /** The file name in the `nodes/` folder of its graph. */
  readonly name: string;
}

export interface ShownEdge extends MemoryEdge {
  readonly from: MemoryEnd;
  readonly to: MemoryEnd;
}

export interface MemoryStats {
  readonly totalNodes: number;
  readonly nodesByType: Readonly<Record<string, number>>;
  readonly totalEdges: number;
  readonly edgesByType: Readonly<Record<string, number>>;
}

/**
 * The graph of memory in its present state: each question first takes in the changes since the last one. The effort is in proportion to the changes.
 * Only if the names of the docs change is every entry read again.
 */
export interface MemoryGraph {
  /**
   * Takes in changes without occupying the thread for long, so that a question right after it finds little to do. With a hundred thousand entries,
   * that takes seconds at the start, or after the names of the docs have changed.
   * @returns at once if there is little to do. @throws as a question would, if memory cannot be read
   */
  settle(): Awaitable<void>;
  /** Changes whenever anything that the graph shows does. Only for this object: a new one counts anew. */
  revision(): number;
  /** When anything last changed; 0 for an empty graph. */
  changedMs(): number;
  /** When the name of a node was last added or removed, and in which version of this graph; 0 for an empty graph. */
  listed(): { readonly revision: number; readonly nowMs: number };
  /** Names that were added or removed since a version of this graph, as `listed` gives it; undefined if there are too many. */
  namesSince(
    revision: number,
  ): readonly { readonly name: string; readonly type: MemoryNodeType }[] | undefined;
  /** Edges that were added or removed since a version of this graph, or of which an end is shown differently; undefined if there are too many. */
  edgesSince(revision: number): readonly EdgeChange[] | undefined;
  /** Finds a node by its listed name, or a topic also by another spelling. */
  node(name: string): MemoryNode | undefined;
  /** As `node`, without what takes longer the more edges lead to it: `sources` is empty for a node that only exists because it is named. */
  reference(name: string): LedgerNode | undefined;
  /** Sorted by name. */
  nodes(type?: MemoryNodeType): MemoryNode[];
  /** All listed names with their types, in name order. */
  names(): readonly { readonly name: string; readonly type: MemoryNodeType }[];
  /** Sorted by type, then weight, then the label at the other end. */
  outgoing(node: Pick<MemoryNode, 'id'>): ShownEdge[];
  incoming(node: Pick<MemoryNode, 'id'>): ShownEdge[];
  /** What memory says about a node of the docs: the edges that lead to it, sorted as `incoming`. */
  about(key: NodeKey): ShownEdge[];
  /**
   * The sides at which a node of memory has neighbours, or a node of the docs has some in memory: `about` for outgoing edges, and `about_of` for
   * incoming ones.
   */
  sides(id: NodeId): string[];
  /** The neighbours at a side; undefined if there are none. */
  side(id: NodeId, name: string): Side | undefined;
  /** Sorted by the labels of source and target. */
  edgesOfType(type: MemoryEdgeType): ShownEdge[];
  stats(): MemoryStats;
  /** Tells that something may have changed, once until the graph is asked again. */
  onChange(listener: () => void): Unsubscribe;
  /** Stops listening to memory. */
  close(): void;
}

export interface MemoryGraphOptions {
  readonly memory: Pick<Memory, 'places' | 'get' | 'links' | 'revision' | 'onChange'>;
  readonly sessions: SessionSource;
  /** The graph of the docs, whose nodes memories name. */
  readonly docs: Pick<GraphQueries, 'revision' | 'identities'>;
  readonly clock?: Clock;
}

export function memoryGraph(options: MemoryGraphOptions): MemoryGraph {
  const memory = new FollowedMemory(options);
  const now = () => memory.now();
  const endOf = (id: NodeId) => memory.endOf(id);
  const shown = (edge: MemoryEdge): ShownEdge => ({
    ...edge,
    from: endOf(edge.source),
    to: endOf(edge.target),
  });
  const leaving = (id: NodeId) =>
    Array.from(now().outgoing(id), shown).sort(byRank((edge) => edge.to.display));
  const arriving = (id: NodeId) =>
    Array.from(now().incoming(id), shown).sort(byRank((edge) => edge.from.display));

  return {
    settle: memory.settle,
    revision: () => now().version,
    changedMs: () => now().changedMs,
    listed: () => now().listed,
    namesSince: (revision) => now().namesSince(revision),
    edgesSince: (revision) => now().edgesSince(revision),
    node(name) {
      const ledger = now();
      const node = nodeNamed(ledger, name);
      return node && withDegree(ledger, node);
    },
    reference: (name) => nodeNamed(now(), name),
    nodes(type) {
      const ledger = now();
      const found = [...ledger.nodes()].filter((node) => type === undefined || node.type === type);
      return found.sort(byName).map((node) => withDegree(ledger, node));
    },
    names: untilChanged(now, namesOf),
    outgoing: ({ id }) => leaving(id),
    incoming: ({ id }) => arriving(id),
    about: arriving,
    sides: (id) => sideNamesOf(now(), id),
    side: (id, name) => sideOf({ ledger: now(), endOf }, id, name),
    edgesOfType(type) {
      const found = [...now().edges()].filter((edge) => edge.type === type).map(shown);
      return found.sort(
        (a, b) => compareTexts(a.from.display, b.from.display) || compareTexts(a.to.display, b.to.display),
      );
    },
    stats: () => statsOf(now().counts),
    onChange: (listener) => memory.onChange(listener),
    close: memory.close,
  };
}

/** Caches an answer until something in the ledger changes. */
function untilChanged<Answer>(now: () => Ledger, ask: (ledger: Ledger) => Answer): () => Answer {
  let known: { readonly version: number; readonly answer: Answer } | undefined;
  return () => {
    const ledger = now();
    const { version } = ledger;
    if (known?.version !== version) known = { version, answer: ask(ledger) };
    return known.answer;
  };
}

function namesOf(ledger: Ledger): { readonly name: string; readonly type: MemoryNodeType }[] {
  return Array.from(ledger.nodes(), ({ name, type }) => ({ name, type })).sort(byName);
}

function nodeNamed(ledger: Ledger, name: string): LedgerNode | undefined {
  return ledger.byName(name) ?? byOtherSpelling(ledger, decodeName(name));
}

function withDegree(ledger: Ledger, node: LedgerNode): MemoryNode {
  const sources = node.sources.length === 0 ? sourcesOf(ledger.incoming(node.id)) : node.sources;
  return { ...node, sources, degree: ledger.degree(node.id) };
}

/** `topic/Refund Policies` is the topic `refund-policy`. An entry can be looked up by its key in any encoding. */
function byOtherSpelling(ledger: Ledger, label: string): LedgerNode | undefined {
  const node = ledger.node(label);
  if (node !== undefined && node.type !== 'Topic') return node;
  return label.startsWith('topic/') ? ledger.node(topicId(label.slice('topic/'.length))) : undefined;
}

/** The sources of the nodes from which these edges lead here, each once. */
function sourcesOf(edges: Iterable<MemoryEdge>): string[] {
  const places = new Set<string>();
  for (const { evidence } of edges) for (const place of evidence) places.add(place);
  return [...places].sort();
}

function statsOf({ nodes, edges }: Ledger['counts']): MemoryStats {
  const sumOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
  return {
    totalNodes: sumOf(nodes),
    nodesByType: Object.fromEntries(MEMORY_NODE_TYPES.map((type) => [type, nodes.get(type) ?? 0])),
    totalEdges: sumOf(edges),
    edgesByType: Object.fromEntries(MEMORY_EDGE_TYPES.map((type) => [type, edges.get(type) ?? 0])),
  };
}

function byRank(otherEnd: (edge: ShownEdge) => string): (a: ShownEdge, b: ShownEdge) => number {
  return (a, b) =>
    MEMORY_EDGE_TYPES.indexOf(a.type) - MEMORY_EDGE_TYPES.indexOf(b.type) ||
    b.weight - a.weight ||
    compareTexts(otherEnd(a), otherEnd(b));
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareTexts(a.name, b.name);
}
