import { type Clock, systemClock } from '../core/clock.ts';
import { compareTexts } from '../core/compare-texts.ts';
import type { NodeKey, NodeType } from '../core/graph-model.ts';
import type { MemoryPlace } from '../core/memory-entry.ts';
import { decodeName } from '../core/names.ts';
import type { Awaitable, Unsubscribe } from '../core/resolver.ts';
import { inSlices } from '../core/slices.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { Memory } from '../memory/memory.ts';
import { type EdgeChange, Ledger, type LedgerNode } from './ledger.ts';
import { MemoryFeed, type SessionSource } from './memory-feed.ts';
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
  /** Count of edges at either side. */
  readonly degree: number;
}

/** One end of an edge, as it is shown. */
export interface MemoryEnd {
  readonly id: NodeId;
  readonly home: 'memory' | 'docs';
  readonly type: MemoryNodeType | NodeType;
  readonly display: string;
  /** File name below `nodes/` of its home. */
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
 * The graph of memory, as of now: each question first takes in what changed since the last one. The work goes with what changed; only where
 * the names of the docs change is every entry read again.
 */
export interface MemoryGraph {
  /**
   * Takes in what changed without keeping the thread for long: a question right after it finds little to do. Of a hundred thousand entries, at the
   * start or after the names of the docs changed, that takes seconds.
   * @returns at once where it is soon done. @throws as a question would, where memory cannot be read
   */
  settle(): Awaitable<void>;
  /** Changes whenever anything that the graph shows does. Of this object only: a new one counts anew. */
  revision(): number;
  /** When anything last changed; 0 for an empty graph. */
  changedMs(): number;
  /** When the name of a node last came or went, and in which version of this graph; 0 for an empty graph. */
  listed(): { readonly revision: number; readonly nowMs: number };
  /** Names that came or went since a version of this graph, by which they were listed; undefined where there are too many. */
  namesSince(
    revision: number,
  ): readonly { readonly name: string; readonly type: MemoryNodeType }[] | undefined;
  /** Edges that came or went since a version of this graph, or of which an end is shown otherwise; undefined where there are too many. */
  edgesSince(revision: number): readonly EdgeChange[] | undefined;
  /** By listed name, or a topic in another spelling. */
  node(name: string): MemoryNode | undefined;
  /** As `node`, without what takes longer the more leads to it: of what is named rather than kept, `sources` is empty. */
  reference(name: string): LedgerNode | undefined;
  /** By name. */
  nodes(type?: MemoryNodeType): MemoryNode[];
  /** Every listed name with its type, in name order. */
  names(): readonly { readonly name: string; readonly type: MemoryNodeType }[];
  /** By type, then weight, then the label at the other end. */
  outgoing(node: Pick<MemoryNode, 'id'>): ShownEdge[];
  incoming(node: Pick<MemoryNode, 'id'>): ShownEdge[];
  /** What is remembered of a node of the docs: the edges that lead to it, sorted as `incoming`. */
  about(key: NodeKey): ShownEdge[];
  /** At which sides a node of memory has neighbours, or a node of the docs some in memory: `about` for edges that lead away, and `about_of` for those that arrive. */
  sides(id: NodeId): string[];
  /** The neighbours at a side, as of now; undefined where there are none. */
  side(id: NodeId, name: string): Side | undefined;
  /** By the labels of source and target. */
  edgesOfType(type: MemoryEdgeType): ShownEdge[];
  stats(): MemoryStats;
  /** Tells that something may have changed: once, until the graph was asked again. */
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

/** For so long nobody else is served. */
const SLICE_MS = 4;

export function memoryGraph({
  memory,
  sessions,
  docs,
  clock = systemClock,
}: MemoryGraphOptions): MemoryGraph {
  const ledger = new Ledger();
  const listeners = new Set<() => void>();
  const feed = new MemoryFeed({ memory, sessions, docs, ledger, clock });
  let wasTold = false;
  const unsubscribe = memory.onChange((places: readonly MemoryPlace[]) => {
    feed.note(places);
    if (wasTold) return;
    wasTold = true;
    for (const listener of listeners) listener();
  });

  function current(): Ledger {
    wasTold = false;
    feed.takeIn();
    return ledger;
  }

  const settle = inSlices(() => {
    wasTold = false;
    return feed.takeInSome(SLICE_MS);
  });

  function endOf(id: NodeId): MemoryEnd {
    const node = ledger.node(id);
    if (node) return { id, home: 'memory', type: node.type, display: node.label, name: node.name };
    const name = feed.names().get(id);
    if (name === undefined) throw new Error(`an edge leads to ${id}, which is not there`);
    return { id, home: 'docs', type: name.type, display: name.display, name: name.name };
  }

  const shown = (edge: MemoryEdge): ShownEdge => {
    return { ...edge, from: endOf(edge.source), to: endOf(edge.target) };
  };
  const withDegree = (node: LedgerNode): MemoryNode => {
    const named = node.sources.length === 0 ? sourcesOf(ledger.incoming(node.id)) : node.sources;
    return { ...node, sources: named, degree: ledger.degree(node.id) };
  };
  const remember = <Answer>(ask: (ledger: Ledger) => Answer): (() => Answer) => {
    let known: { readonly version: number; readonly answer: Answer } | undefined;
    return () => {
      const { version } = current();
      if (known?.version !== version) known = { version, answer: ask(ledger) };
      return known.answer;
    };
  };
  const reference = (name: string): LedgerNode | undefined => {
    const now = current();
    return now.byName(name) ?? byOtherSpelling(now, decodeName(name));
  };
  const leaving = (id: NodeId) =>
    Array.from(current().outgoing(id), shown).sort(byRank((edge) => edge.to.display));
  const arriving = (id: NodeId) =>
    Array.from(current().incoming(id), shown).sort(byRank((edge) => edge.from.display));

  return {
    settle,
    revision: () => current().version,
    changedMs: () => current().changedMs,
    listed: () => current().listed,
    namesSince: (revision) => current().namesSince(revision),
    edgesSince: (revision) => current().edgesSince(revision),
    node(name) {
      const node = reference(name);
      return node && withDegree(node);
    },
    reference,
    nodes(type) {
      const found = [...current().nodes()].filter((node) => type === undefined || node.type === type);
      return found.sort(byName).map(withDegree);
    },
    names: remember((now) => Array.from(now.nodes(), ({ name, type }) => ({ name, type })).sort(byName)),
    outgoing: ({ id }) => leaving(id),
    incoming: ({ id }) => arriving(id),
    about: arriving,
    sides: (id) => sideNamesOf(current(), id),
    side: (id, name) => sideOf({ ledger: current(), endOf }, id, name),
    edgesOfType(type) {
      const found = [...current().edges()].filter((edge) => edge.type === type).map(shown);
      return found.sort(
        (a, b) => compareTexts(a.from.display, b.from.display) || compareTexts(a.to.display, b.to.display),
      );
    },
    stats: () => statsOf(current().counts),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: unsubscribe,
  };
}

/** `topic/Refund Policies` is the topic `refund-policy`; an entry may be looked up with any way to encode its key. */
function byOtherSpelling(ledger: Ledger, label: string): LedgerNode | undefined {
  const node = ledger.node(label);
  if (node !== undefined && node.type !== 'Topic') return node;
  return label.startsWith('topic/') ? ledger.node(topicId(label.slice('topic/'.length))) : undefined;
}

/** Where the things that lead here are, each once. */
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
