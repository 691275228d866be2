import { clearTimeout, setTimeout } from 'node:timers';
import type { MemorySearchIndex } from '../memory/search-index.ts';

/** Taking in this many entries takes some ten milliseconds. */
export const ENTRIES_AT_ONCE = 100;
const FOLLOW_AFTER_MS = 50;
const PAUSE_MS = 10;

/** Takes changes of memory into its index before somebody asks, in steps with pauses. */
export class MemoryFollower {
  readonly #index: Pick<MemorySearchIndex, 'catchUp'>;
  #next: NodeJS.Timeout | undefined;

  constructor(index: Pick<MemorySearchIndex, 'catchUp'>) {
    this.#index = index;
  }

  followSoon(): void {
    this.#follow(FOLLOW_AFTER_MS);
  }

  /** A step. @returns whether nothing is left, or what is left cannot be taken in */
  takeSome(): boolean {
    try {
      return this.#index.catchUp(ENTRIES_AT_ONCE);
    } catch {
      // Whoever searches gets the error.
      return true;
    }
  }

  close(): void {
    clearTimeout(this.#next);
  }

  #follow(afterMs: number): void {
    this.#next ??= setTimeout(() => {
      this.#next = undefined;
      if (!this.takeSome()) this.#follow(PAUSE_MS);
    }, afterMs).unref();
  }
}
