import type { Clock } from '../core/clock.ts';
import type { LiveDocsMessage } from '../ingest/live-docs-message.ts';
import type { WatchState } from '../ingest/watch-state.ts';

/** How far the index is behind the docs, according to the messages about them. Times are milliseconds since 1970, undefined for never. */
export class IndexProgress {
  readonly #clock: Clock;
  #done = 0;
  #total = 0;
  #watch: WatchState | undefined;
  #lastEventMs: number | undefined;
  #lastIndexedMs: number | undefined;
  #waiting = 0;
  #waitingSinceMs: number | undefined;
  #reading = 0;
  /** Documents that were found at the paths that are being read, and are not in the index yet. */
  #unread = 0;
  #readingSinceMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get done(): number {
    return this.#done;
  }

  get total(): number {
    return this.#total;
  }

  /** How changes of the docs are noticed; undefined until that is known. */
  get watch(): WatchState | undefined {
    return this.#watch;
  }

  get lastEventMs(): number | undefined {
    return this.#lastEventMs;
  }

  get lastIndexedMs(): number | undefined {
    return this.#lastIndexedMs;
  }

  /** Changed paths that are not in the index yet; where one of them is a folder of many documents, or the docs root, these. */
  get pending(): number {
    return this.#waiting + Math.max(this.#reading, this.#unread);
  }

  /** How long the oldest change that is not in the index has waited; 0 if there is none. */
  get lagMs(): number {
    const sinceMs = this.#readingSinceMs ?? this.#waitingSinceMs;
    return sinceMs === undefined ? 0 : this.#clock.nowMs() - sinceMs;
  }

  take(message: LiveDocsMessage): void {
    switch (message.type) {
      case 'progress':
        this.#done = message.progress.done;
        this.#total = message.progress.total;
        if (this.#reading > 0) this.#unread = this.#total - this.#done;
        break;
      case 'disk-changed':
        this.#lastEventMs = message.atMs ?? this.#lastEventMs;
        this.#waiting = message.waiting;
        this.#waitingSinceMs ??= this.#clock.nowMs();
        break;
      case 'indexing':
        this.#reading = message.paths;
        this.#readingSinceMs = this.#waitingSinceMs;
        this.#waiting = 0;
        this.#waitingSinceMs = undefined;
        break;
      case 'indexed':
        this.#lastIndexedMs = this.#clock.nowMs();
        this.#reading = 0;
        this.#unread = 0;
        this.#readingSinceMs = undefined;
        break;
      case 'failed':
        // These paths will be tried again.
        this.#waiting += this.#reading;
        this.#waitingSinceMs = this.#readingSinceMs ?? this.#waitingSinceMs;
        this.#reading = 0;
        this.#unread = 0;
        this.#readingSinceMs = undefined;
        break;
      case 'watch':
        this.#watch = message.state;
        break;
    }
  }
}
