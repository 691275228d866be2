import { EmbedError, type EmbedFailure } from '../core/embedder.ts';
import { reasonOf } from '../core/errors.ts';
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
): EmbedError {
  if (error instanceof EmbedError) return error;
  if (signal?.aborted) return new EmbedError('stopped', 'nobody waits for the vectors any more');
  const reason = redacted(reasonWithCause(error), apiKey);
  if (isStatusError(error)) {
    const message = `${baseUrl} answered: ${reason}`;
    return new EmbedError(failureOf(error.status), message, retryAfterMs(error.headers));
  }
  if (error instanceof SyntaxError) {
    return new EmbedError('malformed', `${baseUrl} answered what is no JSON: ${reason}`);
  }
  return new EmbedError('busy', `${baseUrl} cannot be reached: ${reason}`);
}

function isStatusError(error: unknown): error is StatusError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** What a status of HTTP means for who asks. */
export function failureOf(status: number): EmbedFailure {
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
