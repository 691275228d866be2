/** Whose embeddings search uses, and how they are asked for. The key is not among them: it is read where it is needed. */
export interface EmbeddingSettings {
  readonly model: string;
  /** Of an OpenAI-compatible API, with the version and without a slash at the end. */
  readonly baseUrl: string;
  /** Of the vectors; undefined for the model's own. */
  readonly dimensions?: number | undefined;
  /** Texts in one request. */
  readonly batchSize: number;
  /** Whether what is remembered is sent, too. */
  readonly memory: boolean;
  /** What the model wants before a text and before a question, such as `search_document: `. Default: nothing. */
  readonly textPrefix?: string | undefined;
  readonly questionPrefix?: string | undefined;
  /** How long a search waits for the vector of its question, after which it answers without. */
  readonly questionTimeoutMs: number;
}

export const DEFAULT_EMBEDDING_BATCH = 64;
export const DEFAULT_QUESTION_TIMEOUT_MS = 1500;
