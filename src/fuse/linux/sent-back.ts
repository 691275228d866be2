import type { Node } from './node-table.ts';
import { Stale } from './session.ts';

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
  readonly #threads = new Map<number, Retry & { readonly sinceMs: number }>();

  /** @throws Stale always */
  send(thread: number): never {
    if (this.#threads.size >= MAX_REMEMBERED) this.#threads.clear();
    this.#threads.set(thread, { found: undefined, sinceMs: performance.now() });
    throw new Stale();
  }

  /** To be told of all that is looked up. */
  found(thread: number, node: Node): void {
    if (this.#threads.size === 0 || thread === UNKNOWN_THREAD) return;
    const sent = this.#threads.get(thread);
    if (sent !== undefined) this.#threads.set(thread, { ...sent, found: node });
  }

  /** The thread will not open: there is nothing. */
  missed(thread: number): void {
    if (this.#threads.size > 0) this.#threads.delete(thread);
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
