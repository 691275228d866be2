import type { RetrieverName } from '../core/search.ts';

/** What one retriever has found, best first and each thing once, by a key that all retrievers use for it. */
export interface RankedList {
  readonly retriever: RetrieverName;
  readonly weight: number;
  readonly keys: readonly string[];
}

export interface Fused {
  readonly key: string;
  readonly score: number;
  /** Ranks begin with 1. */
  readonly ranks: Readonly<Partial<Record<RetrieverName, number>>>;
}

const SAME_SCORE = 1e-12;

/**
 * Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009): each list contributes `weight / (k + rank)`. The greatest possible score is 1. If
 * the weights of all lists that contain something are 0, they count equally.
 */
export function fuse(given: readonly RankedList[], k: number): Fused[] {
  const isWeighted = given.some(({ weight }) => weight > 0);
  const lists = isWeighted ? given : given.map((list) => ({ ...list, weight: 1 }));
  const most = lists.reduce((sum, { weight }) => sum + weight / (k + 1), 0);
  const found = new Map<string, { score: number; ranks: Partial<Record<RetrieverName, number>> }>();
  for (const { retriever, weight, keys } of lists) {
    for (const [index, key] of keys.entries()) {
      let entry = found.get(key);
      if (entry === undefined) {
        entry = { score: 0, ranks: {} };
        found.set(key, entry);
      }
      entry.score += weight / (k + index + 1) / most;
      entry.ranks[retriever] = index + 1;
    }
  }
  return Array.from(found, ([key, { score, ranks }]) => ({ key, score, ranks })).sort(
    (a, b) => byScore(a, b) || rankByTime(a) - rankByTime(b) || (a.key < b.key ? -1 : 1),
  );
}

/** Sums of the same terms in another order differ in their last digits. */
function byScore(a: Fused, b: Fused): number {
  return Math.abs(a.score - b.score) < SAME_SCORE ? 0 : b.score - a.score;
}

/** The rank by time, which is only there if the question asks for time. It decides between equal scores. */
function rankByTime({ ranks }: Fused): number {
  return ranks.recency ?? Number.MAX_SAFE_INTEGER;
}
