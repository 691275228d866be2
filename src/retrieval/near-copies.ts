/**
 * Pages made from one template, versions of a page and copies of it say the same in the same words: after one of them a reader learns nothing from
 * the next, which takes the place of a page that may answer. So the best of them stays, and the others count less. Measured, as in docs/decisions.md.
 */
import type { RankedSource } from './keyword.ts';
import { isAlike, wordsIn } from './likeness.ts';
import { byScoreAndPlace } from './place-order.ts';

/** Of so many sources that say different things, those further behind do not displace anything. There may be any number of copies among them. */
const DIFFERENT = 20;
/** The share of common words, of all words in either, with which two passages count as the same. */
const SAME_TEXT_LIKENESS = 0.7;
/** Shorter text is too short to be a copy of anything. */
const MIN_WORDS = 8;
const WEIGHT = 0.6;

/** Sources, best first, with lower scores for those whose best passage says the same as that of a better one. */
export function withCopiesBehind(sources: readonly RankedSource[]): RankedSource[] {
  const different: ReadonlySet<string>[] = [];
  let left = DIFFERENT;
  const weighed = sources.map((source) => {
    if (left === 0) return source;
    const words = wordsOf(source);
    if (words.size >= MIN_WORDS && different.some((others) => isAlike(words, others, SAME_TEXT_LIKENESS))) {
      const { corpus, sourceId, score, passages } = source;
      return { corpus, sourceId, score: WEIGHT * score, passages };
    }
    left -= 1;
    if (words.size >= MIN_WORDS) different.push(words);
    return source;
  });
  return weighed.sort(byScoreAndPlace);
}

/** The words of the best passage if it is from the docs: what a team has stored in memory twice was said twice. */
function wordsOf({ corpus, passages: [best] }: RankedSource): ReadonlySet<string> {
  return corpus.name === 'docs' && best !== undefined ? wordsIn(best.passage) : new Set();
}
