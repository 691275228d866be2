import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import { FileWatch } from './file-watch.ts';

/** SQLite writes a commit in several steps, and the first of them wakes us up. This leaves time for the others. */
const SOON_MS = 30;
/** The least time between two looks, however often files are written to. */
const APART_MS = 500;
/** The time between two looks while nothing happens. */
const AT_REST_MS = 30_000;

export interface LooksOptions {
  /** Absolute paths of the files whose changes cause a look: when one is written to, appears or disappears. Asked for before each look. */
  readonly files: () => Promise<readonly string[]> | readonly string[];
  /**
   * Looks. If it writes to the files itself, that causes another look, so it may do so only when it has seen something new.
   * @returns in how many milliseconds to look again, for a change that causes no event; undefined if none is expected
   */
  readonly look: () => Promise<number | undefined> | number | undefined;
}

/**
 * Looks for changes by other processes: soon after they have written to certain files, but at most twice a second. The first look may come too early, since a
 * commit becomes visible some time after it was written. So more looks follow, each after twice the previous pause, up to 30 s. At rest there is a look every
 * 30 s, for changes that cause no event. Files that cannot be watched are looked at twice a second.
 */
export class Looks {
  readonly #options: LooksOptions;
  readonly #watch = new FileWatch(() => this.soon());
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;
  #pauseMs = APART_MS;
  #looking: Promise<void> | undefined;
  readonly #closing = new AbortController();

  /** The first look comes after 30 ms. */
  constructor(options: LooksOptions) {
    this.#options = options;
    this.soon();
  }

  /** Looks as soon as that is allowed. */
  soon(): void {
    this.#pauseMs = APART_MS;
    this.#lookAt(Math.max(performance.now() + SOON_MS, this.#lastMs + APART_MS));
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#watch.close();
  }

  /** Sets the next look to this time of `performance.now()`, unless an earlier one is set. */
  #lookAt(dueMs: number): void {
    if (this.#closing.signal.aborted || dueMs >= this.#dueMs) return;
    this.#dueMs = dueMs;
    if (this.#looking === undefined) this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#looking = this.#look().finally(() => {
          this.#looking = undefined;
          if (!this.#closing.signal.aborted) this.#wait();
        });
      },
      Math.ceil(this.#dueMs - performance.now()),
    );
  }

  /** If it rejects, that is a bug, and ends the process. */
  async #look(): Promise<void> {
    const { files, look } = this.#options;
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#lastMs = performance.now();
    const pauseMs = Math.min(this.#pauseMs, AT_REST_MS);
    this.#pauseMs = 2 * pauseMs;
    let waitMs = pauseMs;
    try {
      const asked = await files();
      if (this.#closing.signal.aborted) return;
      // The watch is set before the look, so that no change falls between the two.
      if (!(await this.#watch.next(asked))) waitMs = Math.min(waitMs, APART_MS);
      if (!this.#closing.signal.aborted) waitMs = Math.min(waitMs, (await look()) ?? pauseMs);
    } finally {
      this.#lookAt(this.#lastMs + Math.max(waitMs, APART_MS));
    }
  }
}
