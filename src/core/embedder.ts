/** Turns texts into vectors that are near each other where the texts mean much the same. */
export interface Embedder {
  /** What the vectors are comparable within: the model, and the dimensions that it was asked for. */
  readonly model: string;
  /**
   * @returns one vector of unit length for each text, in their order, all of the same length
   * @throws EmbedError
   */
  embed(texts: readonly string[], patience: EmbedPatience): Promise<Float32Array[]>;
}

/** How long an answer is worth waiting for. */
export interface EmbedPatience {
  /** How often it is asked at most, before a failure that may pass is told. */
  readonly attempts: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * `busy`: there is no answer now, and there may be one later. `refused`: what was asked is refused, and will be again; a part of it may not be.
 * `barred`: nothing will be answered until somebody changes settings: no or a wrong key, no such model. `malformed`: there is an answer that is
 * none. `stopped`: nobody waits any more.
 */
export type EmbedFailure = 'busy' | 'refused' | 'barred' | 'malformed' | 'stopped';

/** Why there are no vectors. The message holds no key, whatever the API said. */
export class EmbedError extends Error {
  override readonly name = 'EmbedError';

  constructor(
    readonly failure: EmbedFailure,
    message: string,
    /** When the API wants to be asked again, where it said so. */
    readonly retryAfterMs?: number | undefined,
  ) {
    super(message);
  }
}
