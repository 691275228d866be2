/** A passage whose meaning is near that of a question, whatever its words are. */
export interface NearPassage {
  readonly corpus: 'docs' | 'memory';
  readonly sourceId: number;
  /** The id in `passages` of the store of that corpus, as that was at the time of the answer. */
  readonly passageId: number;
  /** Cosine of the two vectors: from -1 to 1, higher is nearer. */
  readonly similarity: number;
}

export interface NearAnswer {
  /** Nearest first. */
  readonly passages: readonly NearPassage[];
  /** Why there are no passages, or not all were looked at; undefined if all is well. */
  readonly lack: string | undefined;
}

/** Search by meaning, which only exists if somebody configured it. */
export interface VectorSearch {
  /**
   * Answers within the time limit of the settings. If the API takes longer or fails, there are no passages.
   * @param limit should be large if the passages are filtered afterwards
   */
  nearest(question: string, limit: number, signal?: AbortSignal): Promise<NearAnswer>;
  /** Changes whenever answers may have changed. */
  revision(): string;
}
