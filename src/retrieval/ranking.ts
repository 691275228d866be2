import type { Hop, RetrieverName } from '../core/search.ts';
import type { FoundPassage } from '../store/passages.ts';
import type { Corpus } from './corpus.ts';
import type { RankedSource } from './keyword.ts';
import { comparePlaces, type Placed, placeOf } from './place-order.ts';

/** A passage as a retriever ranks it. */
export interface RankedPassage {
  readonly corpus: Corpus;
  readonly passage: FoundPassage;
  readonly hops: readonly Hop[];
  /** What it is worth by what it says, as part of the most that any in its ranking is; absent where the ranking is by something else. */
  readonly strength?: number;
}

/** Best first, each passage once. */
export interface Ranking {
  readonly retriever: RetrieverName;
  readonly weight: number;
  readonly passages: readonly RankedPassage[];
}

/** How much less each further passage of one source counts: ten hits are not one file, but a second passage may stand out. */
const NEXT_PASSAGE = 0.6;
/** Where many of one source are wanted: the fifth passage of the page that answers says more than the first one of a page that hardly does. */
const NEXT_PASSAGE_OF_MANY = 0.8;
const MAX_PASSAGES_OF_SOURCE = 3;

/** Added to each place, so that all have as many digits: there are fewer places. */
const FIRST_PLACE = 1e10;

/** Each passage's own, in the order of their places. */
export function keyOf(placed: Placed): string {
  return `${placed.corpus.name} ${FIRST_PLACE + placeOf(placed)} ${placed.passage.id}`;
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
  const next = most > MAX_PASSAGES_OF_SOURCE ? NEXT_PASSAGE_OF_MANY : NEXT_PASSAGE;
  const top = sources.reduce((top, { score }) => Math.max(top, score), 0);
  for (const { passages, score, hops = [] } of sources) {
    const best = passages[0]?.score ?? 0;
    for (const [rank, { corpus, passage, score: own }] of passages.slice(0, most).entries()) {
      const worth = best === 0 ? 0 : score * (own / best);
      const strength = top === 0 ? 0 : worth / top;
      valued.push({ corpus, passage, hops, strength, value: worth * next ** rank });
    }
  }
  return valued.sort((a, b) => b.value - a.value || comparePlaces(a, b));
}
