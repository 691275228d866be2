/**
 * The vocabulary of the graph of memory: what people and agents keep, what it is about, and where it came from. It is derived from the
 * entries of memory, the links between them, and the sessions; it stands beside the graph of the docs and leads into it.
 */
import { MEMORY_RELATIONS, PROVENANCE_KEYS } from '../core/memory-entry.ts';

/**
 * Node types in the order in which listings show them. Fact, Memory and Procedure are the entries of the three kinds (a session is a
 * Memory too); a Topic is what tags and sessions name; an Entity is an agent, whoever wrote; a Meta is one value of one provenance key.
 */
export const MEMORY_NODE_TYPES = ['Fact', 'Memory', 'Procedure', 'Topic', 'Entity', 'Meta'] as const;
export type MemoryNodeType = (typeof MEMORY_NODE_TYPES)[number];

/**
 * Edge types in the order in which a node lists them; none is also an edge type of the docs. A fact is `about` topics and nodes of the docs,
 * everything else `concerns` them; a fact is `attributed_to` an agent, everything else is `by` one.
 * `leads_to` is from one node of the docs to another, as an accepted way through their graph says.
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

/** A session as the graph shows it. What only reading changes has no place here: a page would change under its reader. */
export interface SessionFacts {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  readonly summary?: string | null;
  readonly topics?: readonly string[];
  /** Turns of its conversation. */
  readonly turnCount?: number;
  readonly actor?: string | null;
}

/** Where a node is: in the graph of memory by its id, or in the graph of the docs by its key. The two never meet. */
export type NodeId = string;

export interface MemoryEdge {
  readonly source: NodeId;
  readonly type: MemoryEdgeType;
  readonly target: NodeId;
  /** The strength that was set, for a relation between entries; else how often it is said, at most 5. */
  readonly weight: number;
  readonly confidence: number;
  /** Paths in the mount, with a line where there is one; for `derived_from` the source path as it was given. */
  readonly evidence: readonly string[];
}

/** What an entry or a session says of itself. */
export interface OwnFacts {
  readonly id: NodeId;
  readonly type: MemoryNodeType;
  readonly label: string;
  readonly description: string;
  readonly confidence: number;
  readonly sources: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  /** Properties that are times, in milliseconds since 1970; shown as ISO 8601. */
  readonly timesMs: Readonly<Record<string, number>>;
  readonly changedMs: number;
}

/** A node that is there because something names it: it goes with the last that does. */
export interface NamedNode {
  readonly id: NodeId;
  readonly type: MemoryNodeType;
  /** As it is written here; the form written most often is shown. */
  readonly label: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** All that one entry or session gives to the graph. */
export interface MemoryContribution {
  readonly own: OwnFacts;
  /** Each once. */
  readonly named: readonly NamedNode[];
  /** All from `own`; no two of one type to one target. */
  readonly edges: readonly MemoryEdge[];
  /** From one node of the docs to another; none for most. */
  readonly between: readonly MemoryEdge[];
}
