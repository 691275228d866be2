import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import { FileWatch } from './file-watch.ts';

/** A commit is written in several steps, of which the first is told. */
const SOON_MS = 30;
const APART_MS = 500;
const AT_REST_MS = 30_000;

export interface LooksOptions {
  /** Absolute paths. Where one of these is written to, comes or goes, there may be something to see. Asked before each look. */
  readonly files: () => readonly string[];
  /**
   * Looks. What it does to the files itself is told, too: so it may write only where it has seen something new.
   * @returns in how many milliseconds there will be something to see that nothing tells of; undefined where nothing is known of
   */
  readonly look: () => number | undefined;
  /** How often it is looked where nothing tells. Default: 30 s. */
  readonly atRestMs?: number;
}

/**
 * Looks for what others did: soon after files of theirs were written to, and no more often than twice a second. A look may come before what it was
 * told of can be seen: a commit shows some time after it was written. So others follow, each twice as late as the one before, until it is looked as
 * rarely as where nothing tells of anything, which is for what no event tells of. Files that cannot be watched are looked at twice a second.
 */
export class Looks {
  readonly #options: LooksOptions;
  readonly #watch = new FileWatch(() => this.soon());
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;
  #pauseMs = APART_MS;
  readonly #closing = new AbortController();

  /** The first look is soon. */
  constructor(options: LooksOptions) {
    this.#options = options;
    this.soon();
  }

  /** Says that there may be something to see. */
  soon(): void {
    this.#pauseMs = APART_MS;
    this.#lookAt(Math.max(performance.now() + SOON_MS, this.#lastMs + APART_MS));
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#watch.close();
  }

  /** At this time of the process, unless it is looked before. */
  #lookAt(dueMs: number): void {
    if (this.#closing.signal.aborted || dueMs >= this.#dueMs) return;
    this.#dueMs = dueMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), Math.ceil(dueMs - performance.now()));
  }

  #look(): void {
    const { files, look, atRestMs = AT_REST_MS } = this.#options;
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#lastMs = performance.now();
    const pauseMs = Math.min(this.#pauseMs, atRestMs);
    this.#pauseMs = 2 * pauseMs;
    // Watched first, so that nothing falls between the two.
    const isTold = this.#watch.next(files());
    let nextMs: number | undefined;
    try {
      nextMs = look();
    } finally {
      const waitMs = Math.min(isTold ? pauseMs : APART_MS, nextMs ?? pauseMs);
      this.#lookAt(this.#lastMs + Math.max(waitMs, APART_MS));
    }
  }
}
