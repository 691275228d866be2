import { compiledPathOf, isAccepted } from '../core/compiled-path.ts';
import { MAX_WEIGHT } from '../core/graph-model.ts';
import {
  type MemoryEntry,
  type MemoryLink,
  type MemoryPlace,
  type MemoryType,
  PROVENANCE_KEYS,
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
  OwnFacts,
  SessionFacts,
} from './model.ts';
import { agentNode, entryId, metaNode, sessionId, topicNode } from './node-names.ts';

const NODE_TYPE_OF: Readonly<Record<MemoryType, MemoryNodeType>> = {
  fact: 'Fact',
  episodic: 'Memory',
  procedural: 'Procedure',
};

/** The confidence that a text which names a node is about it: if it is written like the label, and in another spelling. */
const EXACT_CONFIDENCE = 0.95;
const FOLDED_CONFIDENCE = 0.8;

/**
 * What an entry contributes to the graph. It depends on nothing but the entry and the names. A source path without a document leads to a Meta node
 * `meta/source_path/<path>` until there is one.
 */
export function contributionOfEntry(entry: MemoryEntry, names: DocsNames): MemoryContribution {
  const { type, actor, tags, sourcePaths, provenance } = entry;
  const { text, firstLine } = entryText(entry.content);
  const path = pathOf(entry);
  const id = entryId(entry);
  const sources = [path];
  const given = new Giving(id, sources);
  const [topicEdge, agentEdge] = type === 'fact' ? FACT_EDGES : OTHER_EDGES;
  for (const tag of tags) given.toNamed(topicEdge, topicNode(tag));
  given.toMentions(topicEdge, mentionsIn(text, names), (line) => `${path}:${line + firstLine - 1}`);
  if (actor) given.toNamed(agentEdge, agentNode(actor));
  for (const source of sourcePaths) {
    const document = names.document(source);
    if (document) given.edge('derived_from', document.key, [source], 1, 1);
    else given.toNamed('derived_from', metaNode('source_path', source), [source]);
  }
  for (const key of PROVENANCE_KEYS) {
    const value = provenance[key];
    if (value !== undefined) given.toNamed(key, metaNode(key, value));
  }
  const own: OwnFacts = {
    id,
    type: NODE_TYPE_OF[type],
    label: id,
    description: descriptionOf(text),
    confidence: entry.confidence ?? 1,
    sources,
    properties: propertiesOf(entry),
    timesMs: timesOf(entry),
    changedMs: entry.updatedMs,
  };
  return { own, named: given.named, edges: given.edges, between: leadingBetween(entry, names) };
}

/** The edge of an accepted path through the graph, as long as the docs have both ends. */
function leadingBetween(entry: MemoryEntry, names: DocsNames): readonly MemoryEdge[] {
  const path = isAccepted(entry) ? compiledPathOf(entry) : undefined;
  if (path === undefined) return NONE_BETWEEN;
  const source = names.shownAs(path.nodes[0] ?? '');
  const target = names.shownAs(path.nodes.at(-1) ?? '');
  if (source === undefined || target === undefined || source.key === target.key) return NONE_BETWEEN;
  const evidence = [pathOf(entry), ...entry.sourcePaths];
  const confidence = entry.confidence ?? 1;
  return [{ source: source.key, type: 'leads_to', target: target.key, weight: 1, confidence, evidence }];
}

/** What a session contributes to the graph: it concerns its topics, and the nodes of the docs that its summary names. */
export function contributionOfSession(session: SessionFacts, names: DocsNames): MemoryContribution {
  const { startedMs, topics = [], turnCount, actor } = session;
  const summary = session.summary ?? '';
  const id = sessionId(session.id);
  const given = new Giving(id, []);
  for (const topic of topics) given.toNamed('concerns', topicNode(topic));
  given.toMentions('concerns', mentionsIn(summary, names), () => undefined);
  if (actor) given.toNamed('by', agentNode(actor));
  const own: OwnFacts = {
    id,
    type: 'Memory',
    label: id,
    description: descriptionOf(summary),
    confidence: 1,
    sources: [],
    properties: { kind: 'session', ...(turnCount === undefined ? {} : { turns: String(turnCount) }) },
    timesMs: { started_at: startedMs },
    changedMs: startedMs,
  };
  return { own, named: given.named, edges: given.edges, between: NONE_BETWEEN };
}

/** The edge of a relation that somebody has set. The caller has to check that both ends exist. */
export function edgeOfLink({ from, relation, to, weight }: MemoryLink): MemoryEdge {
  const [source, target] = [entryId(from), entryId(to)];
  return { source, type: relation, target, weight, confidence: 1, evidence: [pathOf(from)] };
}

const NONE_BETWEEN: readonly MemoryEdge[] = [];
const FACT_EDGES = ['about', 'attributed_to'] as const;
const OTHER_EDGES = ['concerns', 'by'] as const;

/** The path of an entry in the mount, even if it waits for review. */
function pathOf(place: MemoryPlace): string {
  return `context/memory/${entryId(place)}`;
}

/** The count of accesses, which reading changes, is left out: a page keeps its bytes until something is written. */
function propertiesOf({ type, session, reviewer }: MemoryEntry): Record<string, string> {
  const properties: Record<string, string> = { kind: type };
  if (session !== undefined) properties['session'] = session;
  if (reviewer !== undefined) properties['reviewer'] = reviewer;
  return properties;
}

function timesOf({ createdMs, updatedMs, expiresMs, reviewedMs }: MemoryEntry): Record<string, number> {
  const timesMs: Record<string, number> = { created_at: createdMs, updated_at: updatedMs };
  if (expiresMs !== undefined) timesMs['expires_at'] = expiresMs;
  if (reviewedMs !== undefined) timesMs['reviewed_at'] = reviewedMs;
  return timesMs;
}

/** Collects what one node contributes, with each named node and each edge once. Uses lists, since there are many entries, and most contribute little. */
class Giving {
  readonly named: NamedNode[] = [];
  readonly edges: MemoryEdge[] = [];
  readonly #id: NodeId;
  readonly #sources: readonly string[];

  constructor(id: NodeId, sources: readonly string[]) {
    this.#id = id;
    this.#sources = sources;
  }

  toNamed(type: MemoryEdgeType, node: NamedNode, evidence = this.#sources): void {
    if (!this.named.some(({ id }) => id === node.id)) this.named.push(node);
    this.edge(type, node.id, evidence, 1, 1);
  }

  toMentions(
    type: MemoryEdgeType,
    mentions: readonly Mentioned[],
    evidenceOf: (line: number) => string | undefined,
  ): void {
    for (const { name, lines, isExact } of mentions) {
      const evidence = lines.flatMap((line) => evidenceOf(line) ?? []);
      const confidence = isExact ? EXACT_CONFIDENCE : FOLDED_CONFIDENCE;
      this.edge(type, name.key, evidence, Math.min(MAX_WEIGHT, lines.length), confidence);
    }
  }

  /** If something is said twice, it becomes one edge with the evidence of both. */
  edge(
    type: MemoryEdgeType,
    target: NodeId,
    evidence: readonly string[],
    weight: number,
    confidence: number,
  ): void {
    const index = this.edges.findIndex((edge) => edge.target === target && edge.type === type);
    const before = this.edges[index];
    if (before === undefined) {
      this.edges.push({ source: this.#id, type, target, weight, confidence, evidence });
      return;
    }
    const all = [...new Set([...before.evidence, ...evidence])];
    const times = Math.max(1, Math.min(MAX_WEIGHT, all.length));
    this.edges[index] = { ...before, weight: times, evidence: all };
  }
}
