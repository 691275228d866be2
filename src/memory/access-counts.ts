import { clearTimeout, setTimeout } from 'node:timers';
import { FsError } from '../core/errors.ts';
import { isDamage } from '../disk/damage.ts';
import type { ContextStore } from '../store/context-store.ts';

/** How often counts are stored, so that an open costs no transaction. */
const KEEP_AFTER_MS = 2000;

/** How often entries were opened for reading. */
export class AccessCounts {
  readonly #store: ContextStore;
  readonly #pending = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: ContextStore) {
    this.#store = store;
  }

  count(id: number): void {
    this.#pending.set(id, this.pending(id) + 1);
    this.#timer ??= setTimeout(() => this.keep(), KEEP_AFTER_MS).unref();
  }

  /** Opens of an entry that are not stored yet. */
  pending(id: number): number {
    return this.#pending.get(id) ?? 0;
  }

  /** If the disk refuses, or the file is damaged, it is tried again after the next open: counts are not worth an error. */
  keep(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.size === 0) return;
    try {
      this.#store.transact(() => {
        for (const [id, times] of this.#pending) this.#store.memory.entries.countAccess(id, times);
      });
      this.#pending.clear();
    } catch (error) {
      if (!(error instanceof FsError || isDamage(error))) throw error;
    }
  }
}
