/** The weight of each retriever when rankings are joined. One with weight 0 is not asked. */
export interface SearchWeights {
  readonly keyword: number;
  readonly graph: number;
  readonly vector: number;
  readonly recency: number;
}

/** How rankings are joined: `weight / (k + rank)` for each (reciprocal rank fusion). */
export interface SearchSettings {
  readonly k: number;
  readonly weights: SearchWeights;
}

/** Measured in docs/evaluation.md. */
export const DEFAULT_SEARCH_SETTINGS: SearchSettings = {
  k: 60,
  weights: { keyword: 1, graph: 3, vector: 1, recency: 1 },
};
