import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import type { MemorySearchIndex } from '../memory/search-index.ts';

/** Taking in this many passages takes some ten milliseconds. */
export const PASSAGES_AT_ONCE = 100;
const FOLLOW_AFTER_MS = 50;
const PAUSE_MS = 10;
/** A step waits while this thread has other work, such as a question that needs the graph of memory, but not for longer than this. */
const LONGEST_PAUSE_MS = 100;
const BUSY_SHARE = 0.5;
/**
 * After a step that failed, as on a full disk, none is made for this long. What it writes in vain is a change of the state folder, after which the daemon looks
 * for what is to be taken in: it would try again for ever, and a large entry takes seconds.
 */
const REST_AFTER_FAILURE_MS = 30_000;

/** Takes changes of memory into its index ahead of searches, in steps with pauses. A search that comes earlier has the rest taken in at once. */
export class MemoryFollower {
  readonly #index: Pick<MemorySearchIndex, 'catchUp'>;
  #next: NodeJS.Timeout | undefined;
  #restsUntilMs = 0;

  constructor(index: Pick<MemorySearchIndex, 'catchUp'>) {
    this.#index = index;
  }

  followSoon(): void {
    if (performance.now() >= this.#restsUntilMs) this.#follow(FOLLOW_AFTER_MS);
  }

  /** Does a step. @returns whether nothing is left, or the rest cannot be taken in */
  takeSome(): boolean {
    try {
      return this.#index.catchUp(PASSAGES_AT_ONCE);
    } catch {
      // The next search gets the error.
      this.#restsUntilMs = performance.now() + REST_AFTER_FAILURE_MS;
      return true;
    }
  }

  close(): void {
    clearTimeout(this.#next);
  }

  #follow(afterMs: number, waitedMs = 0): void {
    if (this.#next !== undefined) return;
    const before = performance.eventLoopUtilization();
    this.#next = setTimeout(() => {
      this.#next = undefined;
      const pausedMs = waitedMs + afterMs;
      const isBusy = performance.eventLoopUtilization(before).utilization > BUSY_SHARE;
      if (isBusy && pausedMs < LONGEST_PAUSE_MS) this.#follow(PAUSE_MS, pausedMs);
      else if (!this.takeSome()) this.#follow(PAUSE_MS);
    }, afterMs).unref();
  }
}
