import { reasonOf } from '../core/errors.ts';
import { ModelError, type ModelFailure } from '../core/model-error.ts';
import type { ApiAccess } from './openai-client.ts';
import { redacted } from './redact.ts';
import { retryAfterMs } from './retry.ts';

/** What the library throws where the API answered with a status: its `APIError`, whose class would have to be loaded to be named. */
interface StatusError extends Error {
  readonly status: number;
  readonly headers?: Headers | undefined;
}

/** What went wrong with a request, with the API's own words, and without the key. */
export function apiFailure(
  error: unknown,
  { baseUrl, apiKey }: ApiAccess,
  signal: AbortSignal | undefined,
): ModelError {
  if (error instanceof ModelError) return error;
  if (signal?.aborted) return new ModelError('stopped', 'nobody waits for the answer any more');
  const reason = redacted(reasonWithCause(error), apiKey);
  if (isStatusError(error)) {
    const message = `${baseUrl} answered: ${reason}`;
    return new ModelError(failureOf(error.status), message, retryAfterMs(error.headers), error.status);
  }
  if (error instanceof SyntaxError) {
    return new ModelError('malformed', `${baseUrl} answered what is no JSON: ${reason}`);
  }
  return new ModelError('busy', `${baseUrl} cannot be reached: ${reason}`);
}

function isStatusError(error: unknown): error is StatusError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** What a status of HTTP means for who asks. */
export function failureOf(status: number): ModelFailure {
  if (status === 408 || status === 409 || status === 429 || status >= 500) return 'busy';
  if (status === 400 || status === 413 || status === 422) return 'refused';
  return 'barred';
}

/** fetch() says "fetch failed" and keeps the reason in what caused it. */
function reasonWithCause(error: unknown): string {
  const causes: string[] = [];
  for (let at = error; at !== undefined && causes.length < 4; at = at instanceof Error ? at.cause : undefined)
    causes.push(reasonOf(at));
  return [...new Set(causes.filter((text) => text !== ''))].join(': ');
}
