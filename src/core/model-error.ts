/** How long an answer is worth waiting for. */
export interface ModelPatience {
  /** How often it is asked at most, before a failure that may pass is told. */
  readonly attempts: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * `busy`: there is no answer now, and there may be one later. `refused`: what was asked is refused, and will be again; a part of it may not be.
 * `barred`: nothing will be answered until somebody changes settings: no or a wrong key, no such model. `malformed`: there is an answer that is
 * none. `stopped`: nobody waits any more.
 */
export type ModelFailure = 'busy' | 'refused' | 'barred' | 'malformed' | 'stopped';

export interface SpentTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Where the API says it. */
  readonly costUsd?: number;
}

/** Why a model of somebody else's API gives no answer. The message holds no key, whatever the API said. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  constructor(
    readonly failure: ModelFailure,
    message: string,
    /** When the API wants to be asked again, where it said so. */
    readonly retryAfterMs?: number | undefined,
    /** Of HTTP, where the API answered with one. */
    readonly status?: number | undefined,
    /** What it took all the same; `unknown` where an answer had begun, or may have, of which nobody said. Undefined where it took nothing. */
    readonly spent?: SpentTokens | 'unknown' | undefined,
  ) {
    super(message);
  }

  /** The same failure of something that took this in all. */
  having(spent: SpentTokens | undefined): ModelError {
    return new ModelError(this.failure, this.message, this.retryAfterMs, this.status, spent);
  }
}
