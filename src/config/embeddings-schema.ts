import { z } from 'zod';
import { modelSchema, urlSchema } from './checked-text.ts';

/** `search.embeddings` of a config file: the user's own, or that of a project that the user trusts. `false` turns off what another file turns on. */
export const embeddingsSchema = z.union(
  [
    z.literal(false),
    z.strictObject({
      /** The name that the API has for the model. Without one there are no embeddings. */
      model: modelSchema.optional(),
      /** The address of the API. Default: OpenRouter if OPENROUTER_API_KEY is set, else OpenAI. */
      baseUrl: urlSchema.optional(),
      /** The dimensions of the vectors. Default: those of the model. */
      dimensions: z.int().min(1).max(16_384).optional(),
      /** How many texts are sent in one request. Default 64. */
      batchSize: z.int().min(1).max(2048).optional(),
      /** Whether memory is sent, too. Default true. */
      memory: z.boolean().optional(),
      /** What the model needs before each text and before a question, such as "search_document: " and "search_query: ". Default: nothing. */
      textPrefix: z.string().max(200).optional(),
      questionPrefix: z.string().max(200).optional(),
      /** How long a search waits for the vector of its question, in milliseconds. Default 1,500. */
      questionTimeoutMs: z.int().min(10).max(60_000).optional(),
    }),
  ],
  {
    error:
      'false, or an object with some of "model", "baseUrl", "dimensions", "batchSize", "memory", "textPrefix", "questionPrefix" and "questionTimeoutMs"',
  },
);

export type EmbeddingsKey = z.infer<typeof embeddingsSchema>;
