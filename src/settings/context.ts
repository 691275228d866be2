/** The encodings that tokens may be counted by: that of present models, and that of those before. */
export const TOKENIZERS = ['o200k_base', 'cl100k_base'] as const;
export type Tokenizer = (typeof TOKENIZERS)[number];

export const MAX_BUDGET_TOKENS = 1_000_000;
export const MAX_HALF_LIFE_DAYS = 36_500;

/** How contexts are built, unless who asks says otherwise. */
export interface ContextSettings {
  /** From 1 to {@link MAX_BUDGET_TOKENS}. */
  readonly budgetTokens: number;
  /** What is so old counts half as fresh. */
  readonly halfLifeDays: number;
  /** From 0 to 1, by where a passage comes from. */
  readonly trust: { readonly docs: number; readonly memory: number };
  /** Whose tokens are counted. */
  readonly tokenizer: Tokenizer;
  /** The part of a model's window that a conversation may fill before its older turns go to memory; over 0, at most 1. */
  readonly conversationShare: number;
}

export const DEFAULT_CONTEXT_SETTINGS: ContextSettings = {
  budgetTokens: 8000,
  halfLifeDays: 180,
  trust: { docs: 0.8, memory: 0.6 },
  tokenizer: 'o200k_base',
  conversationShare: 0.5,
};

/** What becomes of a context that is in a chat already, where it is updated. */
export const UPDATE_MODES = ['static', 'incremental', 'adaptive'] as const;
export type UpdateMode = (typeof UPDATE_MODES)[number];

/** The id of a conversation, by which its turns are kept in memory. */
export const CONVERSATION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
