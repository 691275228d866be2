import { z } from 'zod';
import { modelSchema, urlSchema } from './checked-text.ts';

const priceSchema = z.number().min(0).max(10_000);

/**
 * `llm` of a config file: the user's own, or that of a project that the user trusts. `false` turns off what another file, or a key in the
 * environment, turns on.
 */
export const llmSchema = z.union(
  [
    z.literal(false),
    z.strictObject({
      /** The name that the API has for the model. Default: anthropic/claude-sonnet-4-5 at OpenRouter, gpt-4.1 at OpenAI. */
      model: modelSchema.optional(),
      /** The address of the API. Default: OpenRouter if OPENROUTER_API_KEY is set, else OpenAI. */
      baseUrl: urlSchema.optional(),
      /** How long the model may send nothing, in milliseconds. Default 120,000. */
      timeoutMs: z.int().min(100).max(3_600_000).optional(),
      /** The maximal number of tokens of a conversation. Default 128,000. */
      windowTokens: z.int().min(2000).max(100_000_000).optional(),
      /** The price in US dollars for a million tokens, used for costs if the API does not report them. */
      price: z.strictObject({ input: priceSchema, output: priceSchema }).optional(),
    }),
  ],
  {
    error: 'false, or an object with some of "model", "baseUrl", "timeoutMs", "windowTokens" and "price"',
  },
);

export type LlmKey = z.infer<typeof llmSchema>;
