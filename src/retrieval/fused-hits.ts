/** Makes the hits to show from what each retriever has found. */
import type { SearchHit } from '../core/search.ts';
import type { Concept, Vocabulary } from './concepts.ts';
import { withEachPart } from './coverage.ts';
import { type Fused, fuse } from './fusion.ts';
import { hitOf } from './hits.ts';
import { keyOf, type RankedPassage, type Ranking } from './ranking.ts';
import type { Asked, Rankings } from './rankings.ts';
import { rarity } from './relevance.ts';
import type { SnippetOptions } from './snippet.ts';
import type { Verifier } from './verifier.ts';

export interface FusedHits {
  /** Best first, in the present state of their sources, and at most as many as asked for. */
  readonly hits: readonly SearchHit[];
  /** Paths that would have to be read to decide whether they are hits, and that cannot be. */
  readonly unread: readonly string[];
}

/** The hits of all rankings together. @param k as for {@link fuse} */
export function fusedHits(
  asked: Asked,
  { rankings, bestOfParts }: Rankings,
  k: number,
  verifier: Verifier,
): FusedHits {
  const lists = rankings.map((ranking) => ({ ...ranking, keys: ranking.passages.map(keyOf) }));
  const found = new Map<string, RankedPassage>();
  for (const { keys, passages } of lists) {
    for (const [index, passage] of passages.entries()) found.set(keys[index] ?? '', passage);
  }
  const sourceOf = (key: string) => {
    const { corpus, passage } = found.get(key) ?? {};
    return passage && `${corpus?.name} ${passage.sourceId}`;
  };
  const strengths = strengthsIn(lists, bestOfParts);
  const snippetOptions = snippetOptionsOf(asked);
  const hits: SearchHit[] = [];
  const unread = new Set<string>();
  for (const { key, score, ranks } of withEachPart(fuse(lists, k), bestOfParts, sourceOf)) {
    if (hits.length >= asked.options.limit) break;
    const passage = found.get(key);
    if (passage === undefined) continue;
    const strength = strengths.get(key);
    const hit = hitOf(
      { ...passage, score, strength, ranks: ranksOf(passage, ranks) },
      verifier,
      snippetOptions,
      unread,
    );
    if (hit !== undefined) hits.push(hit);
  }
  return { hits, unread: [...unread] };
}

/** The graph retriever ranks everything that was found. It is named only if the graph led to the passage. */
function ranksOf({ hops }: RankedPassage, { graph, ...ranks }: Fused['ranks']): Fused['ranks'] {
  return hops.length === 0 || graph === undefined ? ranks : { ...ranks, graph };
}

/**
 * By key: the greatest strength that the rankings give a passage. Passages that were found by time or by nearness in meaning, and the best answers to
 * a part of the question, have none: they are no worse for containing few of its words.
 */
function strengthsIn(
  lists: readonly (Ranking & { readonly keys: readonly string[] })[],
  bestOfParts: readonly string[],
): Map<string, number> {
  const strengths = new Map<string, number>();
  for (const { keys, passages } of lists) {
    for (const [index, key] of keys.entries()) {
      strengths.set(key, Math.max(passages[index]?.strength ?? 0, strengths.get(key) ?? 0));
    }
  }
  const others = lists.filter(({ retriever }) => retriever === 'vector' || retriever === 'recency');
  for (const key of others.flatMap(({ keys }) => keys)) strengths.delete(key);
  for (const key of bestOfParts) strengths.delete(key);
  return strengths;
}

/** Undefined if no snippets are wanted. */
function snippetOptionsOf({ options, concepts, vocabulary }: Asked): SnippetOptions | undefined {
  if (options.snippets === false) return undefined;
  return {
    weights: snippetWeights(concepts, vocabulary),
    isOfSentences: options.snippets === 'sentences',
  };
}

function snippetWeights(concepts: readonly Concept[], vocabulary: Vocabulary): Map<string, number> {
  const weights = new Map<string, number>();
  const total = vocabulary.count();
  for (const concept of concepts) {
    for (const [term, weight] of concept.weights) {
      const value = weight * rarity(vocabulary.frequency(term), total);
      if (value > (weights.get(term) ?? 0)) weights.set(term, value);
    }
  }
  return weights;
}
