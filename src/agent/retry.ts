import { setTimeout as pause } from 'node:timers/promises';
import { ModelError, type ModelPatience } from '../core/model-error.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Retries after a failure that may pass, when the API has said, or after pauses that double, with a random part so that many clients do not come back
 * at once. If an API asks for a pause longer than {@link LONGEST_PAUSE_MS}, there is no retry.
 * @throws ModelError that of the last attempt; `stopped` if the signal came first
 */
export async function withRetries<T>(
  ask: () => Promise<T>,
  { attempts, signal }: ModelPatience,
  chance: () => number = Math.random,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    if (signal?.aborted) throw stopped();
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ModelError) || error.failure !== 'busy' || attempt >= attempts) throw error;
      const pauseMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.75 + chance() / 2);
      if (pauseMs > LONGEST_PAUSE_MS) throw error;
      await pause(pauseMs, undefined, { signal }).catch(() => {
        throw stopped();
      });
    }
  }
}

/** What `Retry-After` (RFC 9110, 10.2.3) says, or OpenAI's more precise header: seconds, or a date. Undefined if it is neither. */
export function retryAfterMs(
  headers: Pick<Headers, 'get'> | undefined,
  nowMs = Date.now(),
): number | undefined {
  const fine = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (fine >= 0) return fine;
  const text = headers?.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

function stopped(): ModelError {
  return new ModelError('stopped', 'nobody waits for the answer any more');
}
