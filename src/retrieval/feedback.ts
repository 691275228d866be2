import { countsIn } from '../words/bag.ts';
import { isIdentifier } from '../words/identifiers.ts';
import type { Concept, Vocabulary } from './concepts.ts';
import type { ScoredPassage } from './keyword.ts';
import { rarity } from './relevance.ts';

/** Pseudo-relevance feedback: the best passages say in their own words what is asked. All constants were measured in docs/evaluation.md. */
const PASSAGES = 10;
const TERMS = 20;
/** A passage with a smaller share of the best score tells nothing about what is asked: it may only contain a distant word of the thesaurus. */
const MIN_SHARE = 0.2;
/** How many of the terms that occur in most of them are compared by their rarity. */
const LOOKED_AT = 50;
const WEIGHT = 0.2;
/** A passage in which a term occurs at least this often is about it. */
const ENOUGH_TIMES = 3;

/** Terms of the best passages that the question does not contain, as concepts with a low weight. */
export function feedbackOf(
  best: readonly ScoredPassage[],
  concepts: readonly Concept[],
  vocabulary: Vocabulary,
): Concept[] {
  const known = new Set(concepts.flatMap(({ weights }) => [...weights.keys()]));
  const least = MIN_SHARE * (best[0]?.score ?? 0);
  const top = best.slice(0, PASSAGES).filter(({ score }) => score >= least);
  const total = top.reduce((sum, { score }) => sum + score, 0);
  const shares = new Map<string, number>();
  for (const { passage, score } of top) {
    for (const [term, count] of countsIn(passage.bodyBag)) {
      if (known.has(term) || /^\d/.test(term) || isIdentifier(term)) continue;
      shares.set(term, (shares.get(term) ?? 0) + (score / total) * Math.min(1, count / ENOUGH_TIMES));
    }
  }
  const size = vocabulary.count();
  const strengths = [...shares]
    .sort(([a, shareA], [b, shareB]) => shareB - shareA || (a < b ? -1 : 1))
    .slice(0, LOOKED_AT)
    .map(([term, share]) => ({ term, frequency: vocabulary.frequency(term), share }))
    .filter(({ frequency }) => frequency > 1)
    .map(({ term, frequency, share }) => ({ term, strength: share * rarity(frequency, size) }))
    .sort((a, b) => b.strength - a.strength || (a.term < b.term ? -1 : 1))
    .slice(0, TERMS);
  const most = strengths[0]?.strength ?? 1;
  return strengths.map(({ term, strength }) => ({
    word: term,
    term,
    weights: new Map([[term, (WEIGHT * strength) / most]]),
  }));
}
