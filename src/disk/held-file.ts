import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { recover } from '../core/awaitable.ts';
import { isFsError, UserError } from '../core/errors.ts';
import type { Awaitable, OpContext } from '../core/resolver.ts';

/** Longer than the kernel lets a program hold a file after others ask for it: 45 s by default (`/proc/sys/fs/lease-break-time`). */
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Whether an error means that another program holds a file, which it has to give up before the file can be opened. It has a lease of fcntl(2), as file servers
 * (NFS, SMB) have for the files of their clients. With the refusal, the kernel has told that program, which usually gives the file up some milliseconds later.
 */
export function isHeld(error: unknown): boolean {
  return isFsError(error instanceof UserError ? error.cause : error, 'EBUSY');
}

/**
 * Opens a file as soon as nobody holds it any more. A non-blocking open is refused, and the kernel tells nobody when the lease ends; a blocking one would
 * occupy one of few threads. So the file is tried again and again.
 * @param context its signal, once aborted, says that nobody waits any more
 * @param withinMs how long to try. Default: a minute
 * @throws whatever `open` throws, also if the file is still held when nobody waits any more
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
