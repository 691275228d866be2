/** What people and the evaluator have said about edges, by what they accepted, confirmed, removed and found contradicted in memory. */
import { COMPILED_PROVENANCE } from '../core/compiled-path.ts';
import { CONTRADICTED_TAG, type MemoryEntry, REVIEW_TAG } from '../core/memory-entry.ts';
import type { DocsNames } from '../memory-graph/docs-names.ts';
import { entryText } from '../memory-graph/entry-text.ts';
import { mentionsIn } from '../memory-graph/mentions.ts';
import type { Judged } from '../state/learning-file.ts';
import type { StoredEdge } from '../store/edges.ts';
import type { Store } from '../store/store.ts';
import { readingsOf } from './readings-of.ts';
import { type NamedEdge, stanceOf } from './stated-edges.ts';

/** A sentence with more names is a list. */
const MAX_NAMED = 12;
const MAX_WORDS_IN_NAME = 4;
const SENTENCE_END = /(?<=[.!?])\s+|\n+/;
const PLACE = /:\d+$/;

export interface JudgedEdge extends Judged {
  /** Identifies the entry and the edge that were judged. */
  readonly id: string;
}

export interface JudgingParts {
  readonly store: Pick<Store, 'keys' | 'edges' | 'contributions'>;
  readonly names: DocsNames;
}

/** The verdict on what an entry says; undefined if nobody has judged it. */
export function verdictOf(
  entry: MemoryEntry,
  isKept: (key: string) => boolean,
): Judged['verdict'] | undefined {
  const { type, tags, provenance, reviewer, removedMs, expiresMs, key } = entry;
  if (provenance.kind === COMPILED_PROVENANCE.kind) return undefined;
  if (removedMs !== undefined) {
    const hasEnded = expiresMs !== undefined && expiresMs <= removedMs;
    return hasEnded || isKept(key) || !(type === 'fact' || tags.includes(REVIEW_TAG))
      ? undefined
      : 'rejected';
  }
  // For a claim with a number it is not known whether the number is what its source contradicts.
  if (tags.includes(CONTRADICTED_TAG)) return /\d/.test(textOf(entry)) ? undefined : 'rejected';
  if (type !== 'fact' || tags.includes(REVIEW_TAG)) return undefined;
  return reviewer !== undefined || provenance.source === 'evaluator' ? 'confirmed' : undefined;
}

/** The edges that an entry with a verdict states, denies or reverses, with the rules that have read them in the entry's sources. */
export function judgedEdges(
  entry: MemoryEntry,
  verdict: Judged['verdict'],
  parts: JudgingParts,
): JudgedEdge[] {
  const judged = new Map<string, JudgedEdge>();
  for (const sentence of textOf(entry).split(SENTENCE_END)) {
    for (const edge of edgesNamedIn(sentence, parts)) {
      const ofEdge = edgeVerdict(sentence, edge, verdict);
      const rules = ofEdge === undefined ? [] : rulesOf(edge, entry.sourcePaths, parts);
      if (ofEdge === undefined || rules.length === 0) continue;
      const id = `${entry.type}/${entry.key}\n${edge.source} ${edge.type} ${edge.target}`;
      judged.set(id, { id, verdict: ofEdge, rules });
    }
  }
  return [...judged.values()];
}

/** The entry that a judgement is about: `fact/answers/x`. */
export function entryOfJudged(id: string): string {
  return id.slice(0, id.indexOf('\n'));
}

/** If a statement is wrong, that does not make any edge right. Only a right statement says that its opposite is wrong. */
function edgeVerdict(
  sentence: string,
  { sourceDisplay, type, targetDisplay }: StoredEdge,
  verdict: Judged['verdict'],
): Judged['verdict'] | undefined {
  const edge: NamedEdge = { source: sourceDisplay, type, target: targetDisplay };
  const stance = stanceOf(sentence, edge);
  if (stance === undefined) return undefined;
  if (stance === 'states') return verdict;
  return verdict === 'confirmed' ? 'rejected' : undefined;
}

/**
 * The edges between nodes that a sentence names. Any word that could be a name is tried: an edge only counts if there is a verb between the names of
 * both.
 */
function* edgesNamedIn(sentence: string, { store, names }: JudgingParts): Generator<StoredEdge> {
  const keys = new Set(mentionsIn(sentence, names).map(({ name }) => name.key));
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (let start = 0; start < words.length; start += 1) {
    for (let count = 1; count <= MAX_WORDS_IN_NAME; count += 1) {
      for (const { key } of names.named(words.slice(start, start + count).join(''))) keys.add(key);
    }
  }
  if (keys.size < 2 || keys.size > MAX_NAMED) return;
  for (const key of keys) {
    const id = store.keys.find(key);
    if (id === undefined) continue;
    for (const edge of store.edges.outgoing(id)) if (keys.has(edge.target)) yield edge;
  }
}

/** If the entry has sources in the docs, only what was read there was judged. */
function rulesOf(edge: StoredEdge, sourcePaths: readonly string[], { store }: JudgingParts): string[] {
  // With several docs roots a path begins with the name of one, and that may be `docs`.
  const cited = sourcePaths
    .filter((place) => PLACE.test(place))
    .flatMap((place) => [place, place.replace(/^\/?docs\//, '')]);
  const readings = readingsOf(store, { id: edge.sourceId }, { id: edge.targetId }).filter(
    ({ edge_type: type, places }) =>
      type === edge.type && (cited.length === 0 || places.some((place) => cited.includes(place))),
  );
  return [...new Set(readings.map(({ rule }) => rule))].sort();
}

function textOf({ content }: Pick<MemoryEntry, 'content'>): string {
  return entryText(content).text;
}
