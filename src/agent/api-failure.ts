import { reasonOf } from '../core/errors.ts';
import { ModelError, type ModelFailure } from '../core/model-error.ts';
import type { ApiAccess } from './openai-client.ts';
import { redacted } from './redact.ts';
import { retryAfterMs } from './retry.ts';

/**
 * The error that the library throws if the API says what is wrong: its `APIError`. Its class is not named here, since it would have to be loaded for
 * that.
 */
interface ToldError extends Error {
  /** The HTTP status of the answer; undefined if the error was a part of a streamed one. */
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  /** The error as the API has described it, if it has. */
  readonly error?: unknown;
  readonly code?: unknown;
}

/** What went wrong with a request, in the API's own words, without the key. */
export function apiFailure(
  error: unknown,
  { baseUrl, apiKey }: ApiAccess,
  signal: AbortSignal | undefined,
): ModelError {
  if (error instanceof ModelError) {
    const message = redacted(error.message, apiKey);
    return new ModelError(error.failure, message, error.retryAfterMs, error.status);
  }
  // The library takes an error that is thrown while an answer is read for a broken connection.
  if (error instanceof Error && error.cause instanceof ModelError)
    return apiFailure(error.cause, { baseUrl, apiKey }, signal);
  if (signal?.aborted) return new ModelError('stopped', 'nobody waits for the answer any more');
  const reason = redacted(reasonWithCause(error), apiKey);
  if (isTold(error)) {
    const status = error.status ?? (typeof error.code === 'number' ? error.code : undefined);
    const failure = status === undefined ? 'busy' : failureOf(status);
    return new ModelError(failure, `${baseUrl} answered: ${reason}`, retryAfterMs(error.headers), status);
  }
  if (error instanceof SyntaxError) {
    return new ModelError('malformed', `${baseUrl} answered with something that is not JSON: ${reason}`);
  }
  return new ModelError('busy', `${baseUrl} cannot be reached: ${reason}`);
}

function isTold(error: unknown): error is ToldError {
  if (!(error instanceof Error)) return false;
  return (
    ('status' in error && typeof error.status === 'number') || ('error' in error && error.error !== undefined)
  );
}

/** What an HTTP status means to the caller. */
export function failureOf(status: number): ModelFailure {
  if (status === 408 || status === 409 || status === 429 || status >= 500) return 'busy';
  if (status === 400 || status === 413 || status === 422) return 'refused';
  return 'barred';
}

/** fetch() says "fetch failed" and has the reason in `cause`. */
function reasonWithCause(error: unknown): string {
  const causes: string[] = [];
  for (let at = error; at !== undefined && causes.length < 4; at = at instanceof Error ? at.cause : undefined)
    causes.push(reasonOf(at));
  return [...new Set(causes.filter((text) => text !== ''))].join(': ');
}
