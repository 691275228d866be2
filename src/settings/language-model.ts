/** Which language model is asked, and how. The key is not among them: it is read where it is needed. */
export interface ModelSettings {
  readonly model: string;
  /** Of an OpenAI-compatible API, with the version and without a slash at the end. */
  readonly baseUrl: string;
  /** How long it may say nothing. */
  readonly timeoutMs: number;
  /** Tokens that a conversation may have, question and answer together. */
  readonly windowTokens: number;
  /** US dollars for a million tokens; undefined where nobody said so, and the API may say what an answer cost. */
  readonly price?: ModelPrice | undefined;
}

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** US dollars for tokens of input and output. */
export function costOf(
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
  { input, output }: ModelPrice,
): number {
  return (inputTokens * input + outputTokens * output) / TOKENS_OF_PRICE;
}

/** A price is for so many. */
export const TOKENS_OF_PRICE = 1e6;
export const DEFAULT_OPENROUTER_MODEL = 'anthropic/claude-sonnet-4-5';
export const DEFAULT_OPENAI_MODEL = 'gpt-4.1';
export const DEFAULT_MODEL_TIMEOUT_MS = 120_000;
export const DEFAULT_WINDOW_TOKENS = 128_000;
