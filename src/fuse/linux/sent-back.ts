import { performance } from 'node:perf_hooks';
import { Stale } from './handler.ts';
import type { Node } from './node-table.ts';

/** What a thread does that was sent back. */
export interface Retry {
  /** What it found last when it looked again. Undefined where it need not look, as with a descriptor in /proc. */
  readonly found: Node | undefined;
}

/** Who is sent back is here again by then, however busy the machine. */
const BACK_WITHIN_MS = 5000;
const MAX_REMEMBERED = 1000;
/** All threads of other namespaces have this number. */
const UNKNOWN_THREAD = 0;

/**
 * Threads whose open(2) was sent back to look names up anew, since what the kernel knows is no longer so. The kernel comes back once; a
 * second time its caller would be told. What a thread finds then is as new as it has to be: it was looked up after the thread began to open.
 */
export class SentBack {
  readonly #threads = new Map<number, Retry & { readonly isOpening: boolean; readonly sinceMs: number }>();

  /**
   * @param isOpening false for who may not be about to open: what it finds is nothing that it may open long after
   * @throws Stale always
   */
  send(thread: number, isOpening = true): never {
    if (this.#threads.size >= MAX_REMEMBERED) this.#threads.clear();
    this.#threads.set(thread, { found: undefined, isOpening, sinceMs: performance.now() });
    throw new Stale();
  }

  /**
   * To be told of all that is looked up.
   * @param node undefined where there is nothing. The kernel may look twice: at the name that it knows, and where that is no longer so, anew
   */
  found(thread: number, node: Node | undefined): void {
    if (this.#threads.size === 0 || thread === UNKNOWN_THREAD) return;
    const sent = this.#threads.get(thread);
    if (sent?.isOpening) this.#threads.set(thread, { ...sent, found: node });
  }

  /** @returns undefined where the thread comes for the first time, as it does the next time that it is asked */
  take(thread: number): Retry | undefined {
    if (this.#threads.size === 0) return undefined;
    const sent = this.#threads.get(thread);
    if (sent === undefined) return undefined;
    const isInTime = performance.now() - sent.sinceMs < BACK_WITHIN_MS;
    if (thread !== UNKNOWN_THREAD || !isInTime) this.#threads.delete(thread);
    return isInTime ? sent : undefined;
  }
}
