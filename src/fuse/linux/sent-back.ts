import { performance } from 'node:perf_hooks';
import type { OpenFile } from '../../core/resolver.ts';
import { Stale } from './handler.ts';
import type { Node } from './node-table.ts';

/** What a thread does that was sent back. */
export interface Retry {
  /** What it found last when it looked again. Undefined where it need not look, as with a descriptor in /proc. */
  readonly found: Node | undefined;
  /** That, where it is a file, as it was when it was found: its name may lead elsewhere by now. The taker's to close. */
  readonly kept: OpenFile | undefined;
}

interface Sent extends Retry {
  /** It found nothing once, or was refused: the kernel looks anew, or the open(2) is over and whatever comes next is something else. */
  readonly hasMissed: boolean;
  readonly sinceMs: number;
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
  readonly #threads = new Map<number, Sent>();
  readonly #backWithinMs: number;

  constructor(backWithinMs = BACK_WITHIN_MS) {
    this.#backWithinMs = backWithinMs;
  }

  /** @throws Stale always */
  send(thread: number): never {
    if (this.#threads.size >= MAX_REMEMBERED)
      for (const other of [...this.#threads.keys()]) this.#drop(other);
    this.#drop(thread);
    this.#threads.set(thread, {
      found: undefined,
      kept: undefined,
      hasMissed: false,
      sinceMs: performance.now(),
    });
    throw new Stale();
  }

  /** Whether what a thread looks up now it is about to open, for sure. */
  isLookingAgain(thread: number): boolean {
    return this.#sent(thread)?.hasMissed === false;
  }

  /**
   * To be told of all that is looked up.
   * @param node undefined where there is nothing, or it was refused. The kernel may look twice: at the name that it knows, and where that is no longer so, anew
   * @param kept the file that was found, open; closed where nobody takes it in time
   */
  found(thread: number, node: Node | undefined, kept?: OpenFile): void {
    const sent = this.#sent(thread);
    sent?.kept?.close();
    if (sent === undefined) {
      kept?.close();
      return;
    }
    const again = { ...sent, found: node, kept, hasMissed: sent.hasMissed || node === undefined };
    this.#threads.set(thread, again);
    if (kept === undefined) return;
    const dropLater = (): void => {
      if (this.#threads.get(thread) === again) this.#drop(thread);
    };
    setTimeout(dropLater, this.#backWithinMs).unref();
  }

  /** To be told where a thread was refused what open(2) asks for on the way: that one is over, and the next one begins anew. */
  gaveUp(thread: number): void {
    if (thread !== UNKNOWN_THREAD) this.#drop(thread);
  }

  /** @returns undefined where the thread comes for the first time, as it does the next time that it is asked */
  take(thread: number): Retry | undefined {
    if (this.#threads.size === 0) return undefined;
    const sent = this.#threads.get(thread);
    if (sent === undefined) return undefined;
    if (!this.#isInTime(sent)) {
      this.#drop(thread);
      return undefined;
    }
    if (thread !== UNKNOWN_THREAD) this.#threads.delete(thread);
    return sent;
  }

  #sent(thread: number): Sent | undefined {
    if (this.#threads.size === 0 || thread === UNKNOWN_THREAD) return undefined;
    const sent = this.#threads.get(thread);
    return sent !== undefined && this.#isInTime(sent) ? sent : undefined;
  }

  #drop(thread: number): void {
    this.#threads.get(thread)?.kept?.close();
    this.#threads.delete(thread);
  }

  #isInTime({ sinceMs }: Sent): boolean {
    return performance.now() - sinceMs < this.#backWithinMs;
  }
}
