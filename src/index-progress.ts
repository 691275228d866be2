import type { Clock } from './core/clock.ts';
import type { IngestMessage } from './ingest/ingest-worker.ts';

/** How far the index is behind the docs, from what the ingest thread tells. Times are milliseconds since 1970. */
export class IndexProgress {
  readonly #clock: Clock;
  #done = 0;
  #total = 0;
  #isWatching = false;
  #lastEventMs: number | undefined;
  #changedSinceMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get done(): number {
    return this.#done;
  }

  get total(): number {
    return this.#total;
  }

  get isWatching(): boolean {
    return this.#isWatching;
  }

  get lastEventMs(): number | undefined {
    return this.#lastEventMs;
  }

  /** How long the oldest change that is not in the index has waited; 0 where there is none. */
  get lagMs(): number {
    return this.#changedSinceMs === undefined ? 0 : this.#clock.nowMs() - this.#changedSinceMs;
  }

  take(message: IngestMessage): void {
    switch (message.type) {
      case 'progress':
        this.#done = message.progress.done;
        this.#total = message.progress.total;
        break;
      case 'indexed':
        this.#changedSinceMs = undefined;
        break;
      case 'disk-changed':
        this.#lastEventMs = message.atMs;
        this.#changedSinceMs ??= message.atMs;
        break;
      case 'watching':
        this.#isWatching = true;
        break;
      case 'watch-ended':
        this.#isWatching = false;
        break;
      case 'failed':
        break;
    }
  }
}
