/** What `status.json` shows as `search.embeddings`. */
export type EmbeddingView = {
  readonly model: string;
  /** The number of texts with a vector, and that of all texts. */
  readonly done: number;
  readonly total: number;
  /** How many vectors, of texts and questions, existed when they were needed, and their share of all that were needed. */
  readonly cache_hits: number;
  readonly hit_rate: number;
  readonly failures: number;
  /** Without keys; null if nothing has failed since the last success. */
  readonly last_error: string | null;
};

/** Counts what is asked for during the life of a process. */
export class EmbeddingFigures {
  readonly model: string;
  /** Texts with a vector, and all texts. */
  done = 0;
  total = 0;
  /** Vectors that existed when they were needed, and those that had to be requested. */
  hits = 0;
  misses = 0;
  #failures = 0;
  #lastError: string | undefined;
  #questionError: string | undefined;

  constructor(model: string) {
    this.model = model;
  }

  /** Why questions have no vector; undefined if the last one had. */
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

  /** The success of a question tells nothing about texts that have failed. */
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
