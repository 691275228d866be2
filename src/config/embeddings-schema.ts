import { z } from 'zod';

/**
 * `search.embeddings` of a config file: of the user's own, or of a project's that the user trusts. `false` turns off what another file
 * turns on.
 */
export const embeddingsSchema = z.union(
  [
    z.literal(false),
    z.strictObject({
      /** As the API calls it. Without one there are no embeddings. */
      model: z.string().min(1).max(200).optional(),
      /** Default: OpenRouter where OPENROUTER_API_KEY is set, else OpenAI. */
      baseUrl: z.string().min(1).max(2000).optional(),
      /** Default: the model's own. */
      dimensions: z.int().min(1).max(16_384).optional(),
      /** Texts in one request. Default 64. */
      batchSize: z.int().min(1).max(2048).optional(),
      /** Whether what is remembered is sent, too. Default true. */
      memory: z.boolean().optional(),
      /** What the model wants before each text and before a question, such as "search_document: " and "search_query: ". Default: nothing. */
      textPrefix: z.string().max(200).optional(),
      questionPrefix: z.string().max(200).optional(),
      /** How long a search waits for the vector of its question. Default 1,500. */
      questionTimeoutMs: z.int().min(10).max(60_000).optional(),
    }),
  ],
  {
    error:
      'false, or an object with some of "model", "baseUrl", "dimensions", "batchSize", "memory", "textPrefix", "questionPrefix" and "questionTimeoutMs"',
  },
);

export type EmbeddingsKey = z.infer<typeof embeddingsSchema>;
