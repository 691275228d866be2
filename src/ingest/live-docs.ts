import { clearTimeout, setTimeout } from 'node:timers';
import { systemClock } from '../core/clock.ts';
import { type DocsFolder, pathInDocs, placeOf } from '../core/docs-selection.ts';
import type { SubPath } from '../core/paths.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { ROOT } from './docs-paths.ts';
import { IngestThread } from './ingest-thread.ts';
import type { IngestReply, IngestTask } from './ingest-worker.ts';
import type { LiveDocsMessage } from './live-docs-message.ts';
import { DocsWatch, MAX_PATHS, type WatchOptions } from './watch.ts';
import { isSameState, stateOfAll, type WatchState } from './watch-state.ts';

export interface LiveDocsOptions extends IngestTask {
  /** Called where a thread ends by an error of ours, never for what is wrong with docs or store. */
  readonly onCrash: (error: unknown) => void;
  /** For tests. */
  readonly inotify?: WatchOptions['inotify'];
  /** For tests. */
  readonly isForeign?: WatchOptions['isForeign'];
  /** How long the reading thread is kept for the next change, at least. Default: 20 s. */
  readonly keepThreadMs?: number;
  /** It is kept for longer while the process has less memory than this. Default: 90 MiB. */
  readonly keepBelowBytes?: number;
  /** How long after it failed it is tried again to read something. Default: 30 s. */
  readonly retryAfterMs?: number;
  /** How often all is looked at where not all can be watched, unless that takes too much of the time. Default: 10 s. */
  readonly scanEveryMs?: number;
}

/** Reading begins when nothing changed for this long: most programs write a file in several steps. */
const QUIET_MS = 25;
/** It begins all the same where changes go on for this long. */
const LONGEST_WAIT_MS = 200;
const KEEP_THREAD_MS = 20_000;
/** A process with less than this can afford to keep the thread: to start one takes most of the time until an edit is seen. */
const KEEP_BELOW_BYTES = 90 * 1024 * 1024;
const SCAN_EVERY_MS = 10_000;
/** A scan may cost one part in so many of the time. What is read of it does not count: it is read once. */
const SCAN_SHARE = 200;
const RETRY_AFTER_MS = 30_000;

/** Keeps the index equal to the docs on disk, until stopped. */
export class LiveDocs {
  readonly #options: LiveDocsOptions;
  readonly #thread: IngestThread;
  /** One for each docs root. */
  readonly #watches: ReadonlyMap<DocsFolder, DocsWatch>;
  readonly #states = new Map<DocsFolder, WatchState>();
  /** Paths that changed and are not being read yet. */
  #waiting = new Set<string>();
  #listener: ((message: LiveDocsMessage) => void) | undefined;
  /** What was told before anybody listened. */
  #early: LiveDocsMessage[] = [];
  #reading: readonly string[] | undefined;
  /** Where each root was found that was read, by its name. */
  readonly #readAt = new Map<string, string>();
  #firstMs = 0;
  #told: WatchState | undefined;
  #readTimer: NodeJS.Timeout | undefined;
  #endTimer: NodeJS.Timeout | undefined;
  #scanTimer: NodeJS.Timeout | undefined;
  /** How long it took to look at all there is, without what was read of it. */
  #scanMs = 0;
  readonly #stopping = new AbortController();

  constructor(options: LiveDocsOptions) {
    this.#options = options;
    const { docs, excluded, indexFile, searchFile, extractionsFile, maxBytes, rulesFile } = options;
    const { inotify, isForeign } = options;
    this.#thread = new IngestThread(
      { docs, excluded, indexFile, searchFile, extractionsFile, maxBytes, rulesFile },
      (reply) => this.#replied(reply),
      (error) => this.#crashed(error),
    );
    const watchOf = (root: DocsFolder): DocsWatch => {
      const inRoot = (path: SubPath) => inDocs(root, path);
      return new DocsWatch({
        selection: docs,
        docs: root,
        excluded,
        ...(inotify === undefined ? {} : { inotify }),
        ...(isForeign === undefined ? {} : { isForeign }),
        onChange: (paths) => this.#seen(paths.map(inRoot)),
        onWatched: (path) => this.#changed([inRoot(path)]),
        onState: (state) => this.#stateChanged(root, state),
      });
    };
    this.#watches = new Map(docs.folders.map((root) => [root, watchOf(root)]));
    // All is read when the watches stand, so that nothing falls between the two.
    this.#thread.start();
  }

  /** Has what is told from the first on go to a listener. */
  listen(listener: (message: LiveDocsMessage) => void): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener(message);
  }

  /** Reads what somebody else has told of: what a module keeps on disk. @param paths of the docs */
  noteChanged(paths: readonly SubPath[]): void {
    if (paths.length > 0) this.#seen(paths);
  }

  /** Reads what another schema map says something else about, after what is being read. */
  readBy(schema: SchemaRules | undefined): void {
    this.#thread.readBy(schema);
    this.#changed(this.#allRoots());
  }

  /** Stops, after the batch that is being written. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of [this.#readTimer, this.#endTimer, this.#scanTimer]) clearTimeout(timer);
    for (const watch of this.#watches.values()) watch.close();
    await this.#thread.end();
  }

  /** As {@link #changed}, of what somebody has just done. */
  #seen(paths: readonly SubPath[]): void {
    this.#changed(paths, { atMs: systemClock.nowMs() });
  }

  /** @param seen when the change was seen; nothing where these paths are looked at for another reason */
  #changed(paths: readonly SubPath[], seen: { readonly atMs?: number } = {}): void {
    if (this.#waiting.size === 0) this.#firstMs = performance.now();
    for (const path of paths) this.#waiting.add(path);
    if (this.#waiting.size > MAX_PATHS) this.#waiting = new Set(this.#allRoots());
    this.#tell({ type: 'disk-changed', ...seen, paths, waiting: this.#waiting.size });
    if (!this.#stopping.signal.aborted && this.#readable().length > 0) this.#readSoon();
  }

  #readSoon(): void {
    clearTimeout(this.#endTimer);
    if (this.#reading !== undefined) return;
    this.#thread.start();
    clearTimeout(this.#readTimer);
    const waitedMs = performance.now() - this.#firstMs;
    const waitMs = Math.max(0, Math.min(QUIET_MS, LONGEST_WAIT_MS - waitedMs));
    this.#readTimer = setTimeout(() => this.#read(), waitMs);
  }

  #read(): void {
    const waiting = this.#readable();
    if (waiting.length === 0) {
      this.#endLater();
      return;
    }
    const found = this.#found();
    const paths = [...new Set([...waiting, ...this.#aroundMoved(found)])];
    for (const path of paths) this.#waiting.delete(path);
    this.#reading = paths;
    this.#tell({ type: 'indexing', paths: paths.length });
    const isAll = this.#allRoots().every((root) => paths.includes(root));
    this.#thread.update(isAll ? [ROOT] : paths, found);
  }

  /**
   * Roots that others came to lie in, or left, since something was read. Each finds out for itself where it lies, so what lies in such a root may have been
   * read as its own, or not at all, while the other was thought to be elsewhere.
   */
  #aroundMoved(found: ReadonlyMap<string, string>): string[] {
    const places: string[] = [];
    for (const [name, folder] of found) {
      const before = this.#readAt.get(name);
      if (folder !== before) places.push(folder, ...(before === undefined ? [] : [before]));
      this.#readAt.set(name, folder);
    }
    return [...this.#states].flatMap(([root, { kind }]) => {
      const folder = found.get(root.name);
      const isAround = places.some((place) => place.startsWith(`${folder}/`));
      return isAround && kind !== 'missing' ? [inDocs(root, ROOT)] : [];
    });
  }

  #found(): ReadonlyMap<string, string> {
    const found = [...this.#watches].map(([{ name }, watch]) => [name, watch.folder()] as const);
    return new Map(found.flatMap(([name, folder]) => (folder === undefined ? [] : [[name, folder]])));
  }

  /**
   * What waits and can be read: nothing before it is known of all roots whether they are there, and then nothing of those that are not, or that are being
   * looked for anew.
   */
  #readable(): string[] {
    const { docs } = this.#options;
    if (this.#states.size < docs.folders.length) return [];
    return [...this.#waiting].filter((path) => {
      const root = placeOf(docs, path)?.root;
      if (root === undefined || this.#states.get(root)?.kind === 'missing') return false;
      const watch = this.#watches.get(root);
      return watch === undefined || watch.folder() !== undefined;
    });
  }

  #allRoots(): SubPath[] {
    return this.#options.docs.folders.map((root) => inDocs(root, ROOT));
  }

  #replied(reply: IngestReply): void {
    const wasWhole = this.#allRoots().every((root) => this.#reading?.includes(root));
    if (reply.type === 'indexed' && wasWhole) this.#scanMs = reply.lookMs;
    this.#tell(reply);
    if (reply.type === 'indexed') this.#wasRead(reply.result.held);
    else if (reply.type === 'failed') this.#couldNotRead();
  }

  #crashed(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#options.onCrash(error);
    this.#couldNotRead();
  }

  /** @param held of what was read, paths of files that another program has to let go of first */
  #wasRead(held: readonly string[]): void {
    this.#reading = undefined;
    if (this.#stopping.signal.aborted) return;
    const hasMore = this.#readable().length > 0;
    for (const path of held) this.#waiting.add(path);
    if (held.length > 0) this.#tell({ type: 'disk-changed', paths: [], waiting: this.#waiting.size });
    if (hasMore) {
      this.#readSoon();
      return;
    }
    if (held.length > 0) this.#readAgain();
    this.#endLater();
  }

  #couldNotRead(): void {
    const left = this.#reading ?? [];
    this.#reading = undefined;
    if (this.#stopping.signal.aborted) return;
    for (const path of left) this.#waiting.add(path);
    this.#readAgain();
    this.#endLater();
  }

  /** What is wrong may mend itself: a full disk, an index or a file that another process holds. */
  #readAgain(): void {
    clearTimeout(this.#readTimer);
    this.#readTimer = setTimeout(() => this.#read(), this.#options.retryAfterMs ?? RETRY_AFTER_MS).unref();
  }

  #endLater(): void {
    const { keepThreadMs = KEEP_THREAD_MS, keepBelowBytes = KEEP_BELOW_BYTES } = this.#options;
    clearTimeout(this.#endTimer);
    this.#endTimer = setTimeout(() => {
      if (process.memoryUsage.rss() < keepBelowBytes) this.#endLater();
      else void this.#thread.end();
    }, keepThreadMs).unref();
  }

  #stateChanged(root: DocsFolder, ofRoot: WatchState): void {
    const isFirst = !this.#states.has(root);
    this.#states.set(root, ofRoot);
    if (!isFirst) this.#lookAtOthers(root);
    if (this.#states.size < this.#options.docs.folders.length) return;
    const state = stateOfAll([...this.#states.values()]);
    const isSame = this.#told !== undefined && isSameState(state, this.#told);
    if (!isSame || this.#states.size === 1) this.#tell({ type: 'watch', state });
    this.#told = state;
    if (this.#readable().length > 0) this.#readSoon();
    clearTimeout(this.#scanTimer);
    if (state.kind === 'limited') this.#scanLater();
  }

  /** It may have come to lie in another root, or lies in one no longer: that one is to show each document once. */
  #lookAtOthers(root: DocsFolder): void {
    for (const [other, watch] of this.#watches) if (other !== root) watch.look();
  }

  /** Where not all can be watched, all is looked at from time to time; and watched, as soon as that can be. */
  #scanLater(): void {
    const { scanEveryMs = SCAN_EVERY_MS } = this.#options;
    const waitMs = Math.max(scanEveryMs, this.#scanMs * SCAN_SHARE);
    this.#scanTimer = setTimeout(() => {
      for (const watch of this.#watches.values()) watch.retry();
      this.#scanLater();
    }, waitMs).unref();
  }

  #tell(message: LiveDocsMessage): void {
    if (this.#listener === undefined) this.#early.push(message);
    else this.#listener(message);
  }
}

function inDocs(root: DocsFolder, path: SubPath): SubPath {
  return pathInDocs(root, path) as SubPath;
}
