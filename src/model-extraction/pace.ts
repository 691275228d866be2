import { setTimeout as pause } from 'node:timers/promises';

/** When an API may be asked again: where it says that it is asked too often, all who ask wait. */
export class Pace {
  readonly #signal: AbortSignal;
  #untilMs = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Nobody asks for so long. */
  restFor(ms: number): void {
    this.#untilMs = Math.max(this.#untilMs, performance.now() + ms);
  }

  /** Resolves when it may be asked, or the signal came. @param readyMs not before, as `performance.now()` counts */
  async ready(readyMs = 0): Promise<void> {
    for (;;) {
      const waitMs = Math.max(this.#untilMs, readyMs) - performance.now();
      if (waitMs <= 0 || this.#signal.aborted) return;
      // It rejects at the signal, which is looked at next.
      await pause(waitMs, undefined, { signal: this.#signal }).catch(() => undefined);
    }
  }
}
