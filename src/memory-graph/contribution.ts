import { MAX_WEIGHT } from '../core/graph-model.ts';
import {
  type MemoryEntry,
  type MemoryLink,
  type MemoryType,
  PROVENANCE_KEYS,
  REVIEW_TAG,
} from '../core/memory-entry.ts';
import type { DocsNames } from './docs-names.ts';
import { descriptionOf, entryText } from './entry-text.ts';
import { type Mentioned, mentionsIn } from './mentions.ts';
import type {
  MemoryContribution,
  MemoryEdge,
  MemoryEdgeType,
  MemoryNodeType,
  NamedNode,
  NodeId,
  SessionFacts,
} from './model.ts';
import { agentNode, entryId, metaNode, sessionId, topicNode } from './node-names.ts';

const NODE_TYPE_OF: Readonly<Record<MemoryType, MemoryNodeType>> = {
  fact: 'Fact',
  episodic: 'Memory',
  procedural: 'Procedure',
};

/** How sure it is that a text that names a node speaks of it: written like the label, or in another spelling. */
const EXACT_CONFIDENCE = 0.95;
const FOLDED_CONFIDENCE = 0.8;

/**
 * What an entry gives to the graph: pure, the same entry and names give the same. A source path without a document leads to a Meta node
 * `meta/source_path/<path>`, until there is one.
 */
export function contributionOfEntry(entry: MemoryEntry, names: DocsNames): MemoryContribution {
  const { type, actor, tags, sourcePaths, provenance } = entry;
  const { text, firstLine } = entryText(entry.content);
  const path = pathOf(entry);
  const given = new Giving(entryId(entry), [path]);
  const [topicEdge, agentEdge] = type === 'fact' ? FACT_EDGES : OTHER_EDGES;
  for (const tag of tags) given.toNamed(topicEdge, topicNode(tag));
  given.toMentions(topicEdge, mentionsIn(text, names), (line) => `${path}:${line + firstLine - 1}`);
  if (actor) given.toNamed(agentEdge, agentNode(actor));
  for (const source of sourcePaths) {
    const document = names.document(source);
    if (document) given.edge('derived_from', document.key, { evidence: [source] });
    else given.toNamed('derived_from', metaNode('source_path', source), [source]);
  }
  for (const key of PROVENANCE_KEYS) {
    const value = provenance[key];
    if (value !== undefined) given.toNamed(key, metaNode(key, value));
  }
  return given.contribution({
    type: NODE_TYPE_OF[type],
    description: descriptionOf(text),
    confidence: entry.confidence ?? 1,
    properties: propertiesOf(entry),
    changedMs: entry.updatedMs,
  });
}

/** What a session gives to the graph: it concerns its topics and the nodes of the docs that its summary names. */
export function contributionOfSession(session: SessionFacts, names: DocsNames): MemoryContribution {
  const { id, startedMs, summary = '', topics = [], turnCount, actor } = session;
  const given = new Giving(sessionId(id), []);
  for (const topic of topics) given.toNamed('concerns', topicNode(topic));
  given.toMentions('concerns', mentionsIn(summary, names), () => undefined);
  if (actor) given.toNamed('by', agentNode(actor));
  return given.contribution({
    type: 'Memory',
    description: descriptionOf(summary),
    confidence: 1,
    properties: {
      kind: 'session',
      started_at: dateOf(startedMs),
      ...(turnCount === undefined ? {} : { turns: String(turnCount) }),
    },
    changedMs: startedMs,
  });
}

/** The edge of a relation that somebody set. Whether both ends are there is for the caller to see. */
export function edgeOfLink({ from, relation, to, weight }: MemoryLink): MemoryEdge {
  const evidence = [`context/memory/${entryId(from)}`];
  return { source: entryId(from), type: relation, target: entryId(to), weight, confidence: 1, evidence };
}

const FACT_EDGES = ['about', 'attributed_to'] as const;
const OTHER_EDGES = ['concerns', 'by'] as const;

/** Where the entry is in the mount. */
function pathOf(entry: MemoryEntry): string {
  return entry.tags.includes(REVIEW_TAG) ? `context/review/${entry.key}` : `context/memory/${entryId(entry)}`;
}

/** What reading changes (the count of accesses) is left out: a page keeps its bytes until something is written. */
function propertiesOf(entry: MemoryEntry): Record<string, string> {
  const { session, createdMs, updatedMs, expiresMs, reviewer, reviewedMs } = entry;
  return {
    kind: entry.type,
    created_at: dateOf(createdMs),
    updated_at: dateOf(updatedMs),
    ...(session === undefined ? {} : { session }),
    ...(expiresMs === undefined ? {} : { expires_at: dateOf(expiresMs) }),
    ...(reviewer === undefined ? {} : { reviewer }),
    ...(reviewedMs === undefined ? {} : { reviewed_at: dateOf(reviewedMs) }),
  };
}

/** ISO 8601. */
function dateOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Gathers what one node gives, each named node and each edge once. */
class Giving {
  readonly #id: NodeId;
  readonly #sources: readonly string[];
  readonly #named = new Map<NodeId, NamedNode>();
  readonly #edges = new Map<string, MemoryEdge>();

  constructor(id: NodeId, sources: readonly string[]) {
    this.#id = id;
    this.#sources = sources;
  }

  toNamed(type: MemoryEdgeType, node: NamedNode, evidence = this.#sources): void {
    if (!this.#named.has(node.id)) this.#named.set(node.id, node);
    this.edge(type, node.id, { evidence });
  }

  toMentions(
    type: MemoryEdgeType,
    mentions: readonly Mentioned[],
    evidenceOf: (line: number) => string | undefined,
  ): void {
    for (const { name, lines, isExact } of mentions) {
      this.edge(type, name.key, {
        evidence: lines.flatMap((line) => evidenceOf(line) ?? []),
        weight: Math.min(MAX_WEIGHT, lines.length),
        confidence: isExact ? EXACT_CONFIDENCE : FOLDED_CONFIDENCE,
      });
    }
  }

  /** What is said twice is one edge with the evidence of both. */
  edge(
    type: MemoryEdgeType,
    target: NodeId,
    { evidence, weight = 1, confidence = 1 }: Pick<MemoryEdge, 'evidence'> & Partial<MemoryEdge>,
  ): void {
    const key = `${type} ${target}`;
    const before = this.#edges.get(key);
    if (before === undefined) {
      this.#edges.set(key, { source: this.#id, type, target, weight, confidence, evidence });
      return;
    }
    const all = new Set([...before.evidence, ...evidence]);
    this.#edges.set(key, {
      ...before,
      weight: Math.min(MAX_WEIGHT, Math.max(1, all.size)),
      evidence: [...all],
    });
  }

  contribution(own: Omit<MemoryContribution['own'], 'id' | 'label' | 'sources'>): MemoryContribution {
    return {
      own: { ...own, id: this.#id, label: this.#id, sources: this.#sources },
      named: [...this.#named.values()],
      edges: [...this.#edges.values()],
    };
  }
}
