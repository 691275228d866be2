/** The embeddings that search uses, and how to request them. The key is not included: it is read where it is needed. */
export interface EmbeddingSettings {
  readonly model: string;
  /** The address of an OpenAI-compatible API, with the version and without a slash at the end. */
  readonly baseUrl: string;
  /** The dimensions of the vectors; undefined for the model's own. */
  readonly dimensions?: number | undefined;
  /** How many texts are sent in one request. */
  readonly batchSize: number;
  /** Whether memory is sent, too. */
  readonly memory: boolean;
  /** What the model needs before a text and before a question, such as `search_document: `. Default: nothing. */
  readonly textPrefix?: string | undefined;
  readonly questionPrefix?: string | undefined;
  /** How long a search waits for the vector of its question before it answers without. */
  readonly questionTimeoutMs: number;
}

export const DEFAULT_EMBEDDING_BATCH = 64;
export const DEFAULT_QUESTION_TIMEOUT_MS = 1500;
