import type { Concept, Vocabulary } from './concepts.ts';
import type { Corpus } from './corpus.ts';
import { comparePlaces, type Placed } from './place-order.ts';
import { rarity } from './relevance.ts';

/** Whether a passage of a corpus may be found at all; by its number. */
export type Allowed = (corpus: Corpus) => Uint8Array | undefined;

export interface Candidate extends Placed {
  readonly score: number;
}

/** The weight of a word of the question itself, and not of one that means nearly the same. */
const OWN_WORD_WEIGHT = 1;
/** What a term counts for more where it stands in a title or a heading. */
const NAMED_BONUS = 0.4;

/**
 * Passages that hold the rarest and most of the concepts, by that alone: the few hundred that are worth reading. What is in a larger part of all
 * passages than `maxShare`, and in more than can be read, brings none, unless there is nothing rarer.
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
  // Of a word that nearly all speak of what means nearly the same may be rare; what is asked for is the word.
  const rare = concepts.filter(({ weights }) =>
    [...weights].some(([term, weight]) => weight >= OWN_WORD_WEIGHT && isRare(term)),
  );
  const chosen = rare.length > 0 ? rare : concepts;
  const found = corpora.flatMap((corpus) => {
    const sums = sumsIn(corpus, chosen, (term) =>
      rare.length > 0 && !isRare(term) ? 0 : rarity(vocabulary.frequency(term), total),
    );
    return best(sums, allowed(corpus), limit, corpus.places()).map((id) => ({
      corpus,
      passage: { id },
      score: sums[id] ?? 0,
    }));
  });
  return found.sort((a, b) => b.score - a.score || comparePlaces(a, b)).slice(0, limit);
}

/** What there is to count with, as large as a store: made once for each state of it. */
interface Counting {
  readonly sums: Float32Array;
  readonly seen: Uint8Array;
}

const counting = new WeakMap<Int32Array, Counting>();

function countingFor(corpus: Corpus): Counting {
  const sourceIds = corpus.sourceIds();
  const known = counting.get(sourceIds);
  if (known !== undefined) {
    known.sums.fill(0);
    known.seen.fill(0);
    return known;
  }
  const size = sourceIds.length;
  const made = { sums: new Float32Array(size), seen: new Uint8Array(size) };
  counting.set(sourceIds, made);
  return made;
}

/** By passage, until the next call: for each concept what the rarest and nearest of its terms counts that stands there. */
function sumsIn(
  corpus: Corpus,
  concepts: readonly Concept[],
  rarityOf: (term: string) => number,
): Float32Array {
  const { sums, seen } = countingFor(corpus);
  for (const [index, { weights }] of concepts.entries()) {
    const mark = (index % 255) + 1;
    if (mark === 1) seen.fill(0);
    const values = [...weights]
      .map(([term, weight]) => ({ term, weight, value: weight * rarityOf(term) }))
      .filter(({ value }) => value > 0)
      .sort((a, b) => b.value - a.value);
    for (const { term, value } of values) {
      for (const id of corpus.holding(term)) {
        if (seen[id] === mark) continue;
        seen[id] = mark;
        sums[id] = (sums[id] ?? 0) + value;
      }
    }
    for (const { term, weight, value } of values) {
      if (weight < OWN_WORD_WEIGHT) continue;
      for (const id of corpus.named(term)) sums[id] = (sums[id] ?? 0) + NAMED_BONUS * value;
    }
  }
  return sums;
}

const HISTOGRAM_STEPS = 1_024;

/** The numbers of the greatest sums over 0, as many as asked for at most; what is not allowed is 0 afterwards. */
function best(
  sums: Float32Array,
  allowed: Uint8Array | undefined,
  limit: number,
  places: Int32Array,
): number[] {
  let most = 0;
  let count = 0;
  for (let id = 0; id < sums.length; id += 1) {
    const sum = sums[id] ?? 0;
    if (sum === 0 || (allowed !== undefined && allowed[id] !== 1)) {
      sums[id] = 0;
      continue;
    }
    count += 1;
    if (sum > most) most = sum;
  }
  // Sorting them all would take longer than finding them did.
  const lowest = count <= limit ? 0 : lowestStep(sums, most, limit);
  const ids: number[] = [];
  for (let id = 0; id < sums.length; id += 1) {
    const sum = sums[id] ?? 0;
    if (sum > 0 && stepOf(sum, most) >= lowest) ids.push(id);
  }
  if (count <= limit) return ids;
  return ids
    .sort((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0) || (places[a] ?? 0) - (places[b] ?? 0))
    .slice(0, limit);
}

/** From which step on there are at least as many as are wanted. */
function lowestStep(sums: Float32Array, most: number, limit: number): number {
  const counts = new Uint32Array(HISTOGRAM_STEPS);
  for (let id = 0; id < sums.length; id += 1) {
    const sum = sums[id] ?? 0;
    if (sum === 0) continue;
    const step = stepOf(sum, most);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  let lowest = HISTOGRAM_STEPS;
  for (let left = limit; left > 0 && lowest > 0; left -= counts[lowest] ?? 0) lowest -= 1;
  return lowest;
}

function stepOf(sum: number, most: number): number {
  return Math.floor((sum / most) * (HISTOGRAM_STEPS - 1));
}
