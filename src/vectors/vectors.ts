import { hash } from 'node:crypto';
import type { Embedder } from '../core/embedder.ts';
import { reasonOf } from '../core/errors.ts';
import { ModelError } from '../core/model-error.ts';
import type { NearAnswer, NearPassage, VectorSearch } from '../core/vector-search.ts';
import type { VectorStore } from '../store/vector-store.ts';
import { cutText } from '../text/cut-text.ts';
import type { EmbeddingFigures } from './figures.ts';
import type { PassageTexts } from './passage-texts.ts';

export interface VectorsOptions {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  readonly texts: readonly PassageTexts[];
  readonly figures: EmbeddingFigures;
  /** What the model needs before a question. Default: nothing. */
  readonly questionPrefix?: string;
  /** How long to wait for the vector of a question. */
  readonly questionTimeoutMs: number;
}

/** After a failure of the API, questions do not use it for this long, so that they need not wait for it. */
const REST_AFTER_FAILURE_MS = 10_000;
const QUESTION_ATTEMPTS = 2;
/** How much of a longer question is embedded: models accept only some thousand tokens. */
const MAX_QUESTION_LENGTH = 4000;

/** Finds what is close to a question. The vector of the question is requested once, and then stored with those of texts. */
export class Vectors implements VectorSearch {
  readonly #options: VectorsOptions;
  #restUntilMs = 0;

  constructor(options: VectorsOptions) {
    this.#options = options;
  }

  async nearest(question: string, limit: number, signal?: AbortSignal): Promise<NearAnswer> {
    const { store } = this.#options;
    try {
      // If nothing has a vector yet, none is needed for the question.
      if (store.count() === 0)
        return {
          passages: [],
          lack: 'no text has a vector yet; a daemon makes them, or kgraphfs build --embed',
        };
      const vector = await this.#vectorOf(question, signal);
      return { passages: this.#passagesNear(vector, limit), lack: undefined };
    } catch (error) {
      return { passages: [], lack: reasonOf(error) };
    }
  }

  revision(): string {
    const { store, texts } = this.#options;
    return [store.count(), ...texts.map((one) => one.version())].join('.');
  }

  async #vectorOf(question: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const { store, embedder, figures, questionPrefix = '', questionTimeoutMs } = this.#options;
    const plain = cutText(question.trim().replace(/\s+/g, ' '), MAX_QUESTION_LENGTH, '');
    const asked = `${questionPrefix}${plain}`;
    const key = hash('sha256', asked, 'buffer');
    const known = store.question(key);
    if (known !== undefined) {
      figures.hits += 1;
      return known;
    }
    if (performance.now() < this.#restUntilMs)
      throw new Error(figures.questionError ?? 'the API does not answer');
    const late = AbortSignal.timeout(questionTimeoutMs);
    const both = signal === undefined ? late : AbortSignal.any([signal, late]);
    try {
      const [vector] = await embedder.embed([asked], { attempts: QUESTION_ATTEMPTS, signal: both });
      if (vector === undefined) throw new Error('the question has no vector');
      figures.misses += 1;
      figures.questionSucceeded();
      store.putQuestion(key, vector);
      return vector;
    } catch (error) {
      throw this.#failed(error, late.aborted && signal?.aborted !== true);
    }
  }

  #failed(error: unknown, isLate: boolean): unknown {
    const { embedder, figures, questionTimeoutMs } = this.#options;
    // The caller has left, which says nothing about the API.
    if (error instanceof ModelError && error.failure === 'stopped' && !isLate) return error;
    const told = isLate
      ? new Error(`${embedder.model} gave no vector of the question within ${questionTimeoutMs} ms`)
      : error;
    figures.questionFailed(reasonOf(told));
    // A refusal says nothing about other questions.
    if (!(error instanceof ModelError) || error.failure !== 'refused')
      this.#restUntilMs = performance.now() + REST_AFTER_FAILURE_MS;
    return told;
  }

  #passagesNear(vector: Float32Array, limit: number): NearPassage[] {
    const { store, texts } = this.#options;
    return store
      .nearest(vector, limit)
      .flatMap(({ textHash, similarity }) =>
        texts.flatMap((one) =>
          one.withText(textHash).map(({ id, sourceId }) => ({
            corpus: one.corpus,
            sourceId,
            passageId: id,
            similarity,
          })),
        ),
      )
      .slice(0, limit);
  }
}
