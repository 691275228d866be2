/** What `status.json` shows as `search.embeddings`. */
export type EmbeddingView = {
  readonly model: string;
  /** Of how many texts there are vectors, and how many texts there are. */
  readonly done: number;
  readonly total: number;
  /** Vectors that were there when they were wanted, of texts and questions, and their share of all that were. */
  readonly cache_hits: number;
  readonly hit_rate: number;
  readonly failures: number;
  /** Without keys; null where nothing failed since the last success. */
  readonly last_error: string | null;
};

/** Counts what is asked for, as long as a process lives. */
export class EmbeddingFigures {
  readonly model: string;
  /** Texts with a vector, and all texts. */
  done = 0;
  total = 0;
  /** Vectors that were there when they were wanted, and those that had to be asked for. */
  hits = 0;
  misses = 0;
  #failures = 0;
  #lastError: string | undefined;
  #questionError: string | undefined;

  constructor(model: string) {
    this.model = model;
  }

  /** Why questions have no vector; undefined where the last one had. */
  get questionError(): string | undefined {
    return this.#questionError;
  }

  failed(reason: string): void {
    this.#failures += 1;
    this.#lastError = reason;
  }

  questionFailed(reason: string): void {
    this.#failures += 1;
    this.#questionError = reason;
  }

  succeeded(): void {
    this.#lastError = undefined;
    this.#questionError = undefined;
  }

  /** A question says nothing of texts that failed. */
  questionSucceeded(): void {
    this.#questionError = undefined;
  }

  view(): EmbeddingView {
    const wanted = this.hits + this.misses;
    return {
      model: this.model,
      done: this.done,
      total: this.total,
      cache_hits: this.hits,
      hit_rate: wanted === 0 ? 0 : Math.round((this.hits / wanted) * 1000) / 1000,
      failures: this.#failures,
      last_error: this.#lastError ?? this.#questionError ?? null,
    };
  }
}
