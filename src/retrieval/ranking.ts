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
  /** The value of its text, as a share of the greatest in its ranking; absent if the ranking is by something else. */
  readonly strength?: number;
}

/** Best first, each passage once. */
export interface Ranking {
  readonly retriever: RetrieverName;
  readonly weight: number;
  readonly passages: readonly RankedPassage[];
}

/** The factor for each further passage of a source: ten hits should not be one file, but a second passage may stand out. */
const NEXT_PASSAGE = 0.6;
/**
 * The factor if many passages of one source are wanted: the fifth passage of the page that answers says more than the first one of a page that hardly
 * does.
 */
const NEXT_PASSAGE_OF_MANY = 0.8;
const MAX_PASSAGES_OF_SOURCE = 3;

/** Added to each position, so that all have the same number of digits: there are fewer positions. */
const FIRST_PLACE = 1e10;

/** A key that identifies a passage. Keys sort like the positions. */
export function keyOf(placed: Placed): string {
  return `${placed.corpus.name} ${FIRST_PLACE + placeOf(placed)} ${placed.passage.id}`;
}

/**
 * The passages of sources in one order. The best passage of a source has the score of the source.
 * @param most the maximal number from one source
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
