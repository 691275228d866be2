/**
 * The vocabulary of the graph of memory: what people and agents have stored, what it is about, and where it comes from. The graph is derived from the
 * entries of memory, the links between them, and the sessions. It is separate from the graph of the docs, but its edges lead there.
 */
import { MEMORY_RELATIONS, PROVENANCE_KEYS } from '../core/memory-entry.ts';

/**
 * Node types in the order of listings. Fact, Memory and Procedure are the entries of the three kinds (a session is a Memory, too). A Topic is named
 * by tags and sessions, an Entity is an agent that has written something, and a Meta is one value of one provenance key.
 */
export const MEMORY_NODE_TYPES = ['Fact', 'Memory', 'Procedure', 'Topic', 'Entity', 'Meta'] as const;
export type MemoryNodeType = (typeof MEMORY_NODE_TYPES)[number];

/**
 * Edge types in the order in which a node lists them. None of them is an edge type of the docs. A fact is `about` topics and nodes of the docs,
 * everything else `concerns` them. A fact is `attributed_to` an agent, everything else is `by` one. `leads_to` goes from one node of the docs to
 * another, and comes from an accepted path through their graph.
 */
export const MEMORY_EDGE_TYPES = [
  'about',
  'concerns',
  'attributed_to',
  'by',
  'derived_from',
  'leads_to',
  ...MEMORY_RELATIONS,
  ...PROVENANCE_KEYS,
] as const;
export type MemoryEdgeType = (typeof MEMORY_EDGE_TYPES)[number];

/** A session as the graph shows it. Properties that reading changes are left out: otherwise a page would change while it is read. */
export interface SessionFacts {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  readonly summary?: string | null;
  readonly topics?: readonly string[];
  /** The number of turns of its conversation. */
  readonly turnCount?: number;
  readonly actor?: string | null;
}

/** Identifies a node: in the graph of memory by its id, in the graph of the docs by its key. The two never collide. */
export type NodeId = string;

export interface MemoryEdge {
  readonly source: NodeId;
  readonly type: MemoryEdgeType;
  readonly target: NodeId;
  /** For a relation between entries, the strength that was set. Otherwise how often it is said, at most 5. */
  readonly weight: number;
  readonly confidence: number;
  /** Paths in the mount, with a line if there is one. For `derived_from`, the source path as it was given. */
  readonly evidence: readonly string[];
}

/** What an entry or a session says about itself. */
export interface OwnFacts {
  readonly id: NodeId;
  readonly type: MemoryNodeType;
  readonly label: string;
  readonly description: string;
  readonly confidence: number;
  readonly sources: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  /** Properties that are times, in milliseconds since 1970. They are shown as ISO 8601. */
  readonly timesMs: Readonly<Record<string, number>>;
  readonly changedMs: number;
}

/** A node that exists because something names it, as long as anything does. */
export interface NamedNode {
  readonly id: NodeId;
  readonly type: MemoryNodeType;
  /** The label as it is written here. The form that is written most often is shown. */
  readonly label: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** Everything that one entry or session contributes to the graph. */
export interface MemoryContribution {
  readonly own: OwnFacts;
  /** Each once. */
  readonly named: readonly NamedNode[];
  /** All from `own`, and never two of one type to one target. */
  readonly edges: readonly MemoryEdge[];
  /** Edges from one node of the docs to another. Most contributions have none. */
  readonly between: readonly MemoryEdge[];
}
