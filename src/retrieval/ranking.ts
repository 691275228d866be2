import type { Hop, RetrieverName } from '../core/search.ts';
import type { FoundPassage } from '../store/passages.ts';
import type { Corpus } from './corpus.ts';
import type { RankedSource } from './keyword.ts';

/** A passage as a retriever ranks it. */
export interface RankedPassage {
  readonly corpus: Corpus;
  readonly passage: FoundPassage;
  readonly hops: readonly Hop[];
}

/** Best first, each passage once. */
export interface Ranking {
  readonly retriever: RetrieverName;
  readonly weight: number;
  readonly passages: readonly RankedPassage[];
}

/** How much less each further passage of one source counts: ten hits are not one file, but a second passage may stand out. */
const NEXT_PASSAGE = 0.6;
const MAX_PASSAGES_OF_SOURCE = 3;

export function keyOf({ corpus, passage }: Pick<RankedPassage, 'corpus' | 'passage'>): string {
  return `${corpus.name} ${String(passage.id).padStart(10, '0')}`;
}

/**
 * Passages of sources in one order: the best of a source is worth as much as the source.
 * @param most of one source
 */
export function passagesOf(
  sources: readonly (RankedSource & { readonly hops?: readonly Hop[] })[],
  most = MAX_PASSAGES_OF_SOURCE,
): RankedPassage[] {
  const valued: (RankedPassage & { readonly value: number })[] = [];
  for (const { passages, score, hops = [] } of sources) {
    const best = passages[0]?.score ?? 0;
    for (const [rank, { corpus, passage, score: own }] of passages.slice(0, most).entries()) {
      const value = best === 0 ? 0 : score * (own / best) * NEXT_PASSAGE ** rank;
      valued.push({ corpus, passage, hops, value });
    }
  }
  return valued.sort((a, b) => b.value - a.value || (keyOf(a) < keyOf(b) ? -1 : 1));
}
