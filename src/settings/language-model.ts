/** The language model, and how to ask it. The key is not included: it is read where it is needed. */
export interface ModelSettings {
  readonly model: string;
  /** The address of an OpenAI-compatible API, with the version and without a slash at the end. */
  readonly baseUrl: string;
  /** How long it may send nothing. */
  readonly timeoutMs: number;
  /** The maximal number of tokens of a conversation, questions and answers together. */
  readonly windowTokens: number;
  /** Undefined if no price is configured. The API may still report what an answer has cost. */
  readonly price?: ModelPrice | undefined;
}

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** The cost in US dollars of tokens of input and output. */
export function costOf(
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
  { input, output }: ModelPrice,
): number {
  return (inputTokens * input + outputTokens * output) / TOKENS_OF_PRICE;
}

/** The number of tokens that a price is for. */
export const TOKENS_OF_PRICE = 1e6;
export const DEFAULT_OPENROUTER_MODEL = 'anthropic/claude-sonnet-4-5';
export const DEFAULT_OPENAI_MODEL = 'gpt-4.1';
export const DEFAULT_MODEL_TIMEOUT_MS = 120_000;
export const DEFAULT_WINDOW_TOKENS = 128_000;
