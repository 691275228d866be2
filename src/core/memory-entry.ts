/** A kind of memory, and the folder of `context/memory` that holds it. */
export const MEMORY_TYPES = ['fact', 'episodic', 'procedural'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** What may be said of where an entry came from; each key becomes a node of its own in the graph of memory. */
export const PROVENANCE_KEYS = [
  'source',
  'filename',
  'etl_source',
  'tenant_id',
  'channel',
  'kind',
  'role',
] as const;
export type ProvenanceKey = (typeof PROVENANCE_KEYS)[number];

/** How two entries can be related by whoever keeps them. */
export const MEMORY_RELATIONS = ['related_to', 'follows', 'caused_by', 'contradicts', 'supersedes'] as const;
export type MemoryRelation = (typeof MEMORY_RELATIONS)[number];

/** Where an entry is: its folder and the names below it, such as `fact` and `billing/refunds`. */
export interface MemoryPlace {
  readonly type: MemoryType;
  readonly key: string;
}

/** What people and tools call it: `fact/billing/refunds`. */
export function placeText({ type, key }: MemoryPlace): string {
  return `${type}/${key}`;
}

/** What is known of an entry besides its content: from its front matter, its extended attributes, or who made it. */
export interface MemoryMetadata {
  /** From 0 to 1; absent where nobody said. */
  readonly confidence?: number;
  readonly tags: readonly string[];
  /** Documents, relative to the docs root; may carry a line: `charges/create.md:31`. */
  readonly sourcePaths: readonly string[];
  readonly provenance: Readonly<Partial<Record<ProvenanceKey, string>>>;
  /** Seconds that the entry lives after its last change; absent for ever. */
  readonly ttlSeconds?: number;
}

/** One entry as it is kept. Times are milliseconds since 1970. */
export interface MemoryEntry extends MemoryPlace, MemoryMetadata {
  readonly id: number;
  readonly content: Uint8Array;
  /** Who wrote it first, and in which session. */
  readonly actor?: string;
  readonly session?: string;
  readonly accessCount: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** When its time to live ends. */
  readonly expiresMs?: number;
  /** Grows with each change of content or metadata. */
  readonly version: number;
  /** The oldest other entry with the same content. */
  readonly duplicateOf?: MemoryPlace;
  /** The entry that says it supersedes this one. */
  readonly supersededBy?: MemoryPlace;
  /** Who accepted it from review, and when. */
  readonly reviewer?: string;
  readonly reviewedMs?: number;
  /** When it was removed; such an entry is neither listed nor found, until it is restored or gone for good. */
  readonly removedMs?: number;
}

/** A relation that somebody set between two entries. */
export interface MemoryLink {
  readonly from: MemoryPlace;
  readonly relation: MemoryRelation;
  readonly to: MemoryPlace;
  /** Strength, over 0 and at most 1. */
  readonly weight: number;
}

/** The tag of entries that wait in `context/review` for a person. */
export const REVIEW_TAG = 'needs_review';

/** The tag of a claim of an answer that the sources say otherwise. */
export const CONTRADICTED_TAG = 'contradicted';

/** The tag of an entry that holds what somebody else wrote at the same time as the one it stands beside. */
export const CONFLICT_TAG = 'conflict';
