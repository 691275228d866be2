import { clearTimeout, setTimeout } from 'node:timers';
import { systemClock } from '../core/clock.ts';
import type { SubPath } from '../core/paths.ts';
import { IngestThread } from './ingest-thread.ts';
import type { IngestReply, IngestTask } from './ingest-worker.ts';
import { DocsWatch, MAX_PATHS, type WatchOptions, type WatchState } from './watch.ts';

/** What is told of the docs and their index, in order. */
export type LiveDocsMessage =
  | IngestReply
  /**
   * Told at once, before it is read: where something changed, as {@link WatchOptions.onChange}; and how many paths wait to be read. Without
   * a time, something may have changed while nobody watched.
   */
  | {
      readonly type: 'disk-changed';
      readonly atMs?: number;
      readonly paths: readonly SubPath[];
      readonly waiting: number;
    }
  /** So many paths are being read now; `indexed` or `failed` follows. */
  | { readonly type: 'indexing'; readonly paths: number }
  /** How changes are noticed from now on. Told before what changed meanwhile. */
  | { readonly type: 'watch'; readonly state: WatchState };

export interface LiveDocsOptions extends IngestTask {
  /** Called where a thread ends by an error of ours, never for what is wrong with docs or store. */
  readonly onCrash: (error: unknown) => void;
  /** For tests. */
  readonly inotify?: WatchOptions['inotify'];
  /** How long the reading thread is kept for the next change. Default: 20 s. */
  readonly keepThreadMs?: number;
  /** How often all is looked at where not all can be watched. Default: 10 s at least. */
  readonly scanEveryMs?: number;
}

/** Reading begins when nothing changed for this long: most programs write a file in several steps. */
const QUIET_MS = 25;
/** It begins all the same where changes go on for this long. */
const LONGEST_WAIT_MS = 200;
const KEEP_THREAD_MS = 20_000;
const SCAN_EVERY_MS = 10_000;
/** A scan may cost one part in so many of the time. */
const SCAN_SHARE = 200;
const RETRY_AFTER_MS = 30_000;

const ROOT = '' as SubPath;

/** Keeps the index equal to the docs on disk, until stopped. */
export class LiveDocs {
  readonly #options: LiveDocsOptions;
  readonly #thread: IngestThread;
  readonly #watch: DocsWatch;
  /** Paths that changed and are not being read yet. */
  #waiting = new Set<SubPath>();
  #listener: ((message: LiveDocsMessage) => void) | undefined;
  /** What was told before anybody listened. */
  #early: LiveDocsMessage[] = [];
  #reading: readonly SubPath[] | undefined;
  #firstMs = 0;
  #state: WatchState | undefined;
  #readTimer: NodeJS.Timeout | undefined;
  #endTimer: NodeJS.Timeout | undefined;
  #scanTimer: NodeJS.Timeout | undefined;
  /** How long it took to look at all there is. */
  #scanMs = 0;
  readonly #stopping = new AbortController();

  constructor(options: LiveDocsOptions) {
    this.#options = options;
    const { docs, excluded, indexFile, maxBytes, inotify } = options;
    this.#thread = new IngestThread(
      { docs, excluded, indexFile, maxBytes },
      (reply) => this.#replied(reply),
      (error) => this.#crashed(error),
    );
    // All is read when the watches stand, so that nothing falls between the two.
    this.#thread.start();
    this.#watch = new DocsWatch({
      docs,
      excluded,
      ...(inotify === undefined ? {} : { inotify }),
      onChange: (paths) => this.#changed(paths, true),
      onWatched: (path) => this.#changed([path], false),
      onState: (state) => this.#stateChanged(state),
    });
  }

  /** Has what is told from the first on go to a listener. */
  listen(listener: (message: LiveDocsMessage) => void): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener(message);
  }

  /** Stops, after the batch that is being written. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of [this.#readTimer, this.#endTimer, this.#scanTimer]) clearTimeout(timer);
    this.#watch.close();
    await this.#thread.end();
  }

  #changed(paths: readonly SubPath[], wasSeen: boolean): void {
    const nowMs = systemClock.nowMs();
    if (this.#waiting.size === 0) this.#firstMs = nowMs;
    for (const path of paths) this.#waiting.add(path);
    if (this.#waiting.size > MAX_PATHS) this.#waiting = new Set([ROOT]);
    const seen = wasSeen ? { atMs: nowMs } : {};
    this.#tell({ type: 'disk-changed', ...seen, paths, waiting: this.#waiting.size });
    if (this.#state?.kind !== 'missing' && !this.#stopping.signal.aborted) this.#readSoon();
  }

  #readSoon(): void {
    clearTimeout(this.#endTimer);
    if (this.#reading !== undefined) return;
    this.#thread.start();
    clearTimeout(this.#readTimer);
    const waitedMs = systemClock.nowMs() - this.#firstMs;
    const waitMs = Math.max(0, Math.min(QUIET_MS, LONGEST_WAIT_MS - waitedMs));
    this.#readTimer = setTimeout(() => this.#read(), waitMs);
  }

  #read(): void {
    if (this.#waiting.size === 0 || this.#state?.kind === 'missing') return;
    const paths = [...this.#waiting];
    this.#waiting.clear();
    this.#reading = paths;
    this.#tell({ type: 'indexing', paths: paths.length });
    this.#thread.update(paths);
  }

  #replied(reply: IngestReply): void {
    if (reply.type === 'indexed' && this.#reading?.includes(ROOT)) this.#scanMs = reply.durationMs;
    this.#tell(reply);
    if (reply.type !== 'progress') this.#wasRead(reply.type === 'indexed');
  }

  #crashed(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#options.onCrash(error);
    this.#wasRead(false);
  }

  #wasRead(isDone: boolean): void {
    const paths = this.#reading ?? [];
    this.#reading = undefined;
    if (this.#stopping.signal.aborted) return;
    if (isDone && this.#waiting.size > 0) {
      this.#readSoon();
      return;
    }
    if (!isDone) {
      // What is wrong may mend itself: a full disk, an index that another process holds.
      for (const path of paths) this.#waiting.add(path);
      clearTimeout(this.#readTimer);
      this.#readTimer = setTimeout(() => this.#read(), RETRY_AFTER_MS).unref();
    }
    const { keepThreadMs = KEEP_THREAD_MS } = this.#options;
    clearTimeout(this.#endTimer);
    this.#endTimer = setTimeout(() => void this.#thread.end(), keepThreadMs).unref();
  }

  #stateChanged(state: WatchState): void {
    this.#state = state;
    this.#tell({ type: 'watch', state });
    clearTimeout(this.#scanTimer);
    if (state.kind === 'limited') this.#scanLater();
  }

  /** Where not all can be watched, all is looked at from time to time; and watched, as soon as that can be. */
  #scanLater(): void {
    const { scanEveryMs = Math.max(SCAN_EVERY_MS, this.#scanMs * SCAN_SHARE) } = this.#options;
    this.#scanTimer = setTimeout(() => {
      this.#watch.retry();
      this.#scanLater();
    }, scanEveryMs).unref();
  }

  #tell(message: LiveDocsMessage): void {
    if (this.#listener === undefined) this.#early.push(message);
    else this.#listener(message);
  }
}
