/** The encodings that tokens may be counted in: that of present models, and that of earlier ones. */
export const TOKENIZERS = ['o200k_base', 'cl100k_base'] as const;
export type Tokenizer = (typeof TOKENIZERS)[number];

export const MAX_BUDGET_TOKENS = 1_000_000;
export const MAX_HALF_LIFE_DAYS = 36_500;

/** How contexts are built, unless the caller says otherwise. */
export interface ContextSettings {
  /** From 1 to {@link MAX_BUDGET_TOKENS}. */
  readonly budgetTokens: number;
  /** The age at which freshness has halved. */
  readonly halfLifeDays: number;
  /** From 0 to 1, by where a passage comes from. */
  readonly trust: { readonly docs: number; readonly memory: number };
  /** The encoding that tokens are counted in. */
  readonly tokenizer: Tokenizer;
  /** The share of a model's window that a conversation may fill before its older turns go to memory; over 0, at most 1. */
  readonly conversationShare: number;
}

export const DEFAULT_CONTEXT_SETTINGS: ContextSettings = {
  budgetTokens: 8000,
  halfLifeDays: 180,
  trust: { docs: 0.8, memory: 0.6 },
  tokenizer: 'o200k_base',
  conversationShare: 0.5,
};

/** How a context that is already in a chat is updated. */
export const UPDATE_MODES = ['static', 'incremental', 'adaptive'] as const;
export type UpdateMode = (typeof UPDATE_MODES)[number];

/** The form of a conversation's id, under which its turns are stored in memory. */
export const CONVERSATION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
