import type { Concept, Vocabulary } from './concepts.ts';
import type { Corpus } from './corpus.ts';
import { rarity } from './relevance.ts';

/** Whether a passage of a corpus may be found at all; by its number. */
export type Allowed = (corpus: Corpus) => Uint8Array | undefined;

export interface Candidate {
  readonly corpus: Corpus;
  readonly id: number;
  readonly score: number;
}

/** What a term counts for more where it stands in a title or a heading. */
const NAMED_BONUS = 0.4;

/**
 * Passages that hold the rarest and most of the concepts, by that alone: the few hundred that are worth reading. What is in a larger part of all
 * passages than `maxShare` brings none, unless there is nothing rarer.
 */
export function candidatesOf(
  concepts: readonly Concept[],
  corpora: readonly Corpus[],
  vocabulary: Vocabulary,
  allowed: Allowed,
  { limit, maxShare }: { readonly limit: number; readonly maxShare: number },
): Candidate[] {
  const total = vocabulary.count();
  const maxFrequency = maxShare * total;
  const isRare = (term: string) => vocabulary.frequency(term) <= maxFrequency;
  const rare = concepts.filter(({ weights }) => [...weights.keys()].some(isRare));
  const chosen = rare.length > 0 ? rare : concepts;
  const found = corpora.flatMap((corpus) => {
    const sums = sumsIn(corpus, chosen, (term) =>
      rare.length > 0 && !isRare(term) ? 0 : rarity(vocabulary.frequency(term), total),
    );
    return best(sums, allowed(corpus), limit).map((id) => ({ corpus, id, score: sums[id] ?? 0 }));
  });
  return found.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
}

/** By passage: for each concept what the rarest and nearest of its terms counts that stands there. */
function sumsIn(
  corpus: Corpus,
  concepts: readonly Concept[],
  rarityOf: (term: string) => number,
): Float32Array {
  const size = corpus.sourceIds().length;
  const sums = new Float32Array(size);
  const seen = new Uint8Array(size);
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
      if (weight < 1) continue;
      for (const id of corpus.named(term)) sums[id] = (sums[id] ?? 0) + NAMED_BONUS * value;
    }
  }
  return sums;
}

/** The numbers of the greatest sums over 0. */
function best(sums: Float32Array, allowed: Uint8Array | undefined, limit: number): number[] {
  const ids: number[] = [];
  for (let id = 0; id < sums.length; id += 1) {
    if ((sums[id] ?? 0) > 0 && (allowed === undefined || allowed[id] === 1)) ids.push(id);
  }
  if (ids.length <= limit) return ids;
  const threshold = nthGreatest(
    ids.map((id) => sums[id] ?? 0),
    limit,
  );
  const over = ids.filter((id) => (sums[id] ?? 0) > threshold);
  const even = ids.filter((id) => sums[id] === threshold);
  return [...over, ...even.slice(0, limit - over.length)];
}

function nthGreatest(values: readonly number[], n: number): number {
  return Float32Array.from(values).sort()[values.length - n] ?? 0;
}
