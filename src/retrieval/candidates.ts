import type { Concept, Vocabulary } from './concepts.ts';
import type { Corpus } from './corpus.ts';
import { PassageSums } from './passage-sums.ts';
import { comparePlaces, type Placed } from './place-order.ts';
import { rarity } from './relevance.ts';

/** Which passages of a corpus may be found, by passage id. */
export type Allowed = (corpus: Corpus) => Uint8Array | undefined;

export interface Candidate extends Placed {
  readonly score: number;
}

/** The weight of a word of the question itself, rather than of one that means nearly the same. */
const OWN_WORD_WEIGHT = 1;
/** How much more a term counts in a title or a heading. */
const NAMED_BONUS = 0.4;

/**
 * The few hundred passages that are worth reading: those that contain the rarest and most of the concepts, judging by that alone. A term that occurs
 * in a larger share of all passages than `maxShare`, and in more than can be read, yields no candidates, unless there is nothing rarer.
 */
export function candidatesOf(
  concepts: readonly Concept[],
  corpora: readonly Corpus[],
  vocabulary: Vocabulary,
  allowed: Allowed,
  { limit, maxShare }: { readonly limit: number; readonly maxShare: number },
): Candidate[] {
  const total = vocabulary.count();
  const maxFrequency = Math.max(limit, maxShare * total);
  const isRare = (term: string) => {
    const frequency = vocabulary.frequency(term);
    return frequency > 0 && frequency <= maxFrequency;
  };
  const isOwn = ([, weight]: readonly [string, number]) => weight >= OWN_WORD_WEIGHT;
  const rare = concepts.filter(({ weights }) => [...weights].filter(isOwn).some(([term]) => isRare(term)));
  // If nearly all passages contain a word, a synonym of it may be rare. But the question is about the word. A misspelt word is in none.
  const isUnknown = ({ weights }: Concept) =>
    [...weights].filter(isOwn).every(([term]) => vocabulary.frequency(term) === 0);
  const chosen =
    rare.length > 0 ? concepts.filter((concept) => rare.includes(concept) || isUnknown(concept)) : concepts;
  const found = corpora.flatMap((corpus) => {
    const sums = sumsIn(corpus, chosen, (term) =>
      rare.length > 0 && !isRare(term) ? 0 : rarity(vocabulary.frequency(term), total),
    );
    return sums
      .best(limit, allowed(corpus), corpus.places())
      .map((id) => ({ corpus, passage: { id }, score: sums.of(id) }));
  });
  return found.sort((a, b) => b.score - a.score || comparePlaces(a, b)).slice(0, limit);
}

/** Made once for each state of a store, which may have many passages. */
const made = new WeakMap<Int32Array, PassageSums>();

function emptySums(corpus: Corpus): PassageSums {
  const sourceIds = corpus.sourceIds();
  const sums = made.get(sourceIds) ?? new PassageSums(sourceIds.length);
  made.set(sourceIds, sums);
  sums.clear();
  return sums;
}

/** By passage, until the next call: the sum over the concepts of the value of the rarest and nearest term that the passage contains. */
function sumsIn(
  corpus: Corpus,
  concepts: readonly Concept[],
  rarityOf: (term: string) => number,
): PassageSums {
  const sums = emptySums(corpus);
  for (const [index, { weights }] of concepts.entries()) {
    const values = [...weights]
      .map(([term, weight]) => ({ term, weight, value: weight * rarityOf(term) }))
      .filter(({ value }) => value > 0)
      .sort((a, b) => b.value - a.value);
    for (const { term, value } of values) sums.addOnce(corpus.holding(term), value, index + 1);
    for (const { term, weight, value } of values) {
      if (weight >= OWN_WORD_WEIGHT) sums.addMore(corpus.named(term), NAMED_BONUS * value);
    }
  }
  return sums;
}
