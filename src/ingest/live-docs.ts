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
  /** Called if a thread ends because of a bug, and never for a problem of docs or store. */
  readonly onCrash: (error: unknown) => void;
  /** Throws the reason if nothing must be read into the index any more. Default: it always may. */
  readonly mayRead?: () => void;
  /** For tests. */
  readonly inotify?: WatchOptions['inotify'];
  /** For tests. */
  readonly isForeign?: WatchOptions['isForeign'];
  /** How long the reading thread is kept for the next change, at least. Default: 20 s. */
  readonly keepThreadMs?: number;
  /** The thread is kept longer while the process has less memory than this. Default: 90 MiB. */
  readonly keepBelowBytes?: number;
  /** How long after a failure reading is tried again. Default: 30 s. */
  readonly retryAfterMs?: number;
  /** How often everything is looked at if not everything can be watched, unless that takes too much of the time. Default: 10 s. */
  readonly scanEveryMs?: number;
}

/** Reading begins when nothing has changed for this long, since most programs write a file in several steps. */
const QUIET_MS = 25;
/** If changes go on, reading begins after this time nevertheless. */
const LONGEST_WAIT_MS = 200;
const KEEP_THREAD_MS = 20_000;
/** A process with less memory than this keeps the thread: starting one takes most of the time until an edit is visible. */
const KEEP_BELOW_BYTES = 90 * 1024 * 1024;
const SCAN_EVERY_MS = 10_000;
/** A scan may take at most one part in so many of the time. Reading what it finds does not count, since that happens only once. */
const SCAN_SHARE = 200;
const RETRY_AFTER_MS = 30_000;

/** Keeps the index equal to the docs on disk, until it is stopped. */
export class LiveDocs {
  readonly #options: LiveDocsOptions;
  readonly #thread: IngestThread;
  /** One watch for each docs root. */
  readonly #watches: ReadonlyMap<DocsFolder, DocsWatch>;
  readonly #states = new Map<DocsFolder, WatchState>();
  /** Paths that have changed and are not being read yet. */
  #waiting = new Set<string>();
  #listener: ((message: LiveDocsMessage) => void) | undefined;
  /** Messages from before anybody listened. */
  #early: LiveDocsMessage[] = [];
  #reading: readonly string[] | undefined;
  /** Where each root lay when it was last read, by its name. */
  readonly #readAt = new Map<string, string>();
  #firstMs = 0;
  #told: WatchState | undefined;
  #readTimer: NodeJS.Timeout | undefined;
  #endTimer: NodeJS.Timeout | undefined;
  #scanTimer: NodeJS.Timeout | undefined;
  /** How long a look at everything takes, without reading what it finds. */
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
      options.mayRead,
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
    // Everything is read once the watches are set, so that no change falls between the two.
    this.#thread.start();
  }

  /** Sends all messages to a listener, from the first one on. */
  listen(listener: (message: LiveDocsMessage) => void): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener(message);
  }

  /** Reads paths that another part of the program has reported, such as files that a module keeps on disk. @param paths paths of the docs */
  noteChanged(paths: readonly SubPath[]): void {
    if (paths.length > 0) this.#seen(paths);
  }

  /** Makes another schema map count. The documents that it concerns are read after what is being read now. */
  readBy(schema: SchemaRules | undefined): void {
    this.#thread.readBy(schema);
    this.#changed(this.#allRoots());
  }

  /** Stops after the batch that is being written. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of [this.#readTimer, this.#endTimer, this.#scanTimer]) clearTimeout(timer);
    for (const watch of this.#watches.values()) watch.close();
    await this.#thread.end();
  }

  /** As {@link #changed}, for a change that happened just now. */
  #seen(paths: readonly SubPath[]): void {
    this.#changed(paths, { atMs: systemClock.nowMs() });
  }

  /** @param seen when the change was seen; empty if these paths are looked at for another reason */
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
   * The roots in which another root has come to lie, or that another root has left, since something was read. Each watch finds out by itself where its root
   * lies, so files of the inner root may have been read as part of the outer one, or not at all, while the inner root was thought to be elsewhere.
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
   * The waiting paths that can be read. There are none before it is known of all roots whether they exist; and later none of roots that are missing or are
   * being looked for again.
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

  /** @param held paths of files among those read that another program has to release first */
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

  /** Tries again later, since the cause may go away: a full disk, or an index or file that another process holds. */
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

  /** This root may have come to lie in another one, or may have left it. Then the other one has to be looked at again, so that each document is shown once. */
  #lookAtOthers(root: DocsFolder): void {
    for (const [other, watch] of this.#watches) if (other !== root) watch.look();
  }

  /** If not everything can be watched, everything is looked at from time to time, and watched as soon as that is possible. */
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
