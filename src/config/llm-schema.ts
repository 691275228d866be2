import { z } from 'zod';

const priceSchema = z.number().min(0).max(10_000);

/**
 * `llm` of a config file: of the user's own, or of a project's that the user trusts. `false` turns off what another file, or a key in the
 * environment, turns on.
 */
export const llmSchema = z.union(
  [
    z.literal(false),
    z.strictObject({
      /** As the API calls it. Default: anthropic/claude-sonnet-4-5 at OpenRouter, gpt-4.1 at OpenAI. */
      model: z.string().min(1).max(200).optional(),
      /** Default: OpenRouter where OPENROUTER_API_KEY is set, else OpenAI. */
      baseUrl: z.string().min(1).max(2000).optional(),
      /** How long the model may say nothing. Default 120,000. */
      timeoutMs: z.int().min(100).max(3_600_000).optional(),
      /** Tokens of a conversation at most. Default 128,000. */
      windowTokens: z.int().min(2000).max(100_000_000).optional(),
      /** US dollars for a million tokens, by which costs are counted where the API does not say them. */
      price: z.strictObject({ input: priceSchema, output: priceSchema }).optional(),
    }),
  ],
  {
    error: 'false, or an object with some of "model", "baseUrl", "timeoutMs", "windowTokens" and "price"',
  },
);

export type LlmKey = z.infer<typeof llmSchema>;
