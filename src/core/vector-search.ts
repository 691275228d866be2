/** A passage that says much the same as a question, whatever its words are. */
export interface NearPassage {
  readonly corpus: 'docs' | 'memory';
  readonly sourceId: number;
  /** Of `passages` in the store of that corpus, as it was when this was answered. */
  readonly passageId: number;
  /** Cosine of the two vectors: from -1 to 1, higher is nearer. */
  readonly similarity: number;
}

export interface NearAnswer {
  /** Nearest first. */
  readonly passages: readonly NearPassage[];
  /** Why there are none, or not of all passages; undefined where all is well. */
  readonly lack: string | undefined;
}

/** Search by meaning. There is none unless somebody configured it. */
export interface VectorSearch {
  /**
   * Answers within the time limit of the settings: without vectors where the API takes longer or fails.
   * @param limit ask for many where a filter follows
   */
  nearest(question: string, limit: number, signal?: AbortSignal): Promise<NearAnswer>;
  /** Changes when answers may. */
  revision(): string;
}
