import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { recover } from '../core/awaitable.ts';
import { isFsError, UserError } from '../core/errors.ts';
import type { Awaitable, OpContext } from '../core/resolver.ts';

/** Longer than the kernel leaves a file to who holds it: 45 s, unless root says otherwise (`/proc/sys/fs/lease-break-time`). */
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Whether another program holds a file, and has to let go of it before it can be opened: a lease of fcntl(2), as servers of files have them for what their
 * clients work on (NFS, SMB). It was told to by the kernel when that refused, and lets go some milliseconds later.
 */
export function isHeld(error: unknown): boolean {
  return isFsError(error instanceof UserError ? error.cause : error, 'EBUSY');
}

/**
 * What `open` gives, once nobody holds the file any more. Without blocking, the kernel refuses and tells nobody of the end of it; with it, a thread would wait, of
 * which there are few. So it is asked again.
 * @param context whose signal, once aborted, says that nobody waits any more
 * @param withinMs how long it is waited. Default: a minute
 * @throws what `open` throws, also where the file is still held when nobody waits any more
 */
export function whenLetGo<T>(
  open: () => Awaitable<T>,
  context: Pick<OpContext, 'signal'> = {},
  withinMs = WITHIN_MS,
): Awaitable<T> {
  return recover<T, T>(open, (error) => {
    if (!isHeld(error)) throw error;
    return openLater(open, context.signal, withinMs);
  });
}

async function openLater<T>(
  open: () => Awaitable<T>,
  signal: AbortSignal | undefined,
  withinMs: number,
): Promise<T> {
  const endMs = performance.now() + withinMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    await delay(pauseMs);
    try {
      return await open();
    } catch (error) {
      if (!isHeld(error) || signal?.aborted || performance.now() > endMs) throw error;
    }
  }
}
