import { z } from 'zod';
import type { Embedder } from '../core/embedder.ts';
import { ModelError, type ModelPatience } from '../core/model-error.ts';
import { apiFailure, failureOf } from './api-failure.ts';
import { type ApiAccess, MAX_ANSWER_BYTES, openAiClient } from './openai-client.ts';
import { redacted } from './redact.ts';
import { withRetries } from './retry.ts';

export interface EmbeddingsOptions extends ApiAccess {
  readonly model: string;
  /** The dimensions of the vectors, if the model supports a choice. Default: the model's own. */
  readonly dimensions?: number | undefined;
  /** The time limit of one request. Default 60 s. */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** The size of a vector as JSON: numbers with all their digits, in more dimensions than any model has. */
const MAX_VECTOR_BYTES = 128 << 10;

/** The relevant part of the answer. Numbers are checked one by one as they are copied. */
const answerSchema = z.object({
  data: z.array(z.object({ embedding: z.array(z.unknown()), index: z.int().nonnegative() })),
});

/** OpenRouter answers with the status 200 to errors behind it, and has their status in the body. */
const errorSchema = z.object({
  error: z.object({ message: z.string(), code: z.int().catch(400) }),
});

/**
 * Gets embeddings from an OpenAI-compatible API: OpenAI, OpenRouter, Ollama, llama.cpp. Numbers are requested as JSON. Base64 would be shorter, but
 * not every version of Ollama and llama.cpp knows it.
 */
export function openAiEmbedder(options: EmbeddingsOptions): Embedder {
  const { model, dimensions, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  /** The length of the first vector. All later ones must have the same. */
  let length = dimensions;

  async function ask(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const maxBytes = Math.max(MAX_ANSWER_BYTES, texts.length * MAX_VECTOR_BYTES);
    const { embeddings } = await openAiClient(options, maxBytes);
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const answer: unknown = await embeddings.create(
        {
          model,
          // If a text was cut, half of a surrogate pair may be left, which cannot be encoded as UTF-8.
          input: texts.map((text) => text.toWellFormed()),
          encoding_format: 'float',
          ...(dimensions === undefined ? {} : { dimensions }),
        },
        { signal: signal === undefined ? late : AbortSignal.any([signal, late]) },
      );
      const vectors = vectorsOf(answer, texts.length, options);
      for (const vector of vectors) {
        length ??= vector.length;
        if (vector.length === length) continue;
        throw new ModelError(
          'malformed',
          `${model} gave a vector of ${vector.length} dimensions, and ${length} are expected`,
        );
      }
      return vectors;
    } catch (error) {
      if (late.aborted && signal?.aborted !== true)
        throw new ModelError('busy', `${options.baseUrl} did not answer within ${timeoutMs} ms`);
      throw apiFailure(error, options, signal);
    }
  }

  return {
    model: dimensions === undefined ? model : `${model} (${dimensions})`,
    async embed(texts, patience: ModelPatience) {
      if (texts.length === 0) return [];
      return withRetries(() => ask(texts, patience.signal), patience);
    },
  };
}

/** The vectors in the order of the texts, which an API need not keep. @throws ModelError `malformed`, or the error in the answer */
function vectorsOf(answer: unknown, count: number, { model, apiKey }: EmbeddingsOptions): Float32Array[] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) {
    const told = errorSchema.safeParse(answer).data?.error;
    if (told) throw new ModelError(failureOf(told.code), `${model}: ${redacted(told.message, apiKey)}`);
    const issue = parsed.error.issues[0];
    const where = issue === undefined ? '' : `: ${issue.path.join('.') || 'all of it'}: ${issue.message}`;
    throw new ModelError('malformed', `the answer of ${model} holds no embeddings${redacted(where, apiKey)}`);
  }
  const { data } = parsed.data;
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  const vectors = Array.from({ length: count }, (_, index) => byIndex.get(index));
  const whole = vectors.flatMap((vector) => (vector === undefined ? [] : [vector]));
  if (data.length !== count || whole.length !== count) {
    throw new ModelError(
      'malformed',
      `${model} gave ${data.length} vectors, not one for each of ${count} texts`,
    );
  }
  return whole.map((numbers) => unitVector(numbers, model));
}

/** @throws ModelError `refused` for a vector without a direction: models that return one do so for one text and not for others */
function unitVector(numbers: readonly unknown[], model: string): Float32Array {
  const vector = new Float32Array(numbers.length);
  let squares = 0;
  for (const [index, number] of numbers.entries()) {
    vector[index] = typeof number === 'number' ? number : Number.NaN;
    squares += (vector[index] ?? 0) ** 2;
  }
  const length = Math.sqrt(squares);
  // An infinite number, or something that is not a number, shows in this sum, too.
  if (!Number.isFinite(length) || length === 0)
    throw new ModelError('refused', `${model} gave a vector that is not made of numbers, or of zeros alone`);
  return vector.map((number) => number / length);
}
