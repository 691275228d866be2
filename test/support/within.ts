import { setTimeout as delay } from 'node:timers/promises';

/** What an action comes to. @throws where it takes longer than that */
export async function within<T>(limitMs: number, action: Promise<T>): Promise<T> {
  const limit = new AbortController();
  const late = delay(limitMs, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`not done within ${limitMs} ms`);
  });
  late.catch(() => {});
  return Promise.race([action, late]).finally(() => limit.abort());
}
