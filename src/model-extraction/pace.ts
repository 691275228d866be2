import { setTimeout as pause } from 'node:timers/promises';

/** When requests may be sent: if the API says that they are too frequent, all of them wait. */
export class Pace {
  readonly #signal: AbortSignal;
  #untilMs = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Blocks all requests for this long. */
  restFor(ms: number): void {
    this.#untilMs = Math.max(this.#untilMs, performance.now() + ms);
  }

  /** Resolves when a request may be sent, or the signal has come. @param readyMs not before this time of `performance.now()` */
  async ready(readyMs = 0): Promise<void> {
    for (;;) {
      const waitMs = Math.max(this.#untilMs, readyMs) - performance.now();
      if (waitMs <= 0 || this.#signal.aborted) return;
      // It rejects at the signal, which is checked next.
      await pause(waitMs, undefined, { signal: this.#signal }).catch(() => undefined);
    }
  }
}
