import { setInterval, setTimeout } from 'node:timers';
import { openApp } from './app.ts';
import type { DriverName } from './config/schema.ts';
import type { Settings } from './config/settings.ts';
import { systemClock } from './core/clock.ts';
import { reasonOf, UserError } from './core/errors.ts';
import { type DaemonState, type StatusView, statusView } from './daemon-status.ts';
import { DEFAULT_MOUNT_OPTIONS, type Driver, type Mounted } from './fuse/driver.ts';
import type { BugReporter } from './fuse/errno.ts';
import { keepHouse } from './housekeeping.ts';
import { IndexProgress } from './index-progress.ts';
import { LiveDocs, type LiveDocsMessage } from './ingest/live-docs.ts';
import { liveDaemons, registerDaemon, startTicksOf } from './state/daemons.ts';
import { prepareStateFolder, stateFolderAt } from './state/state-folder.ts';
import { openStore } from './store/store.ts';
import { VERSION } from './version.ts';

export interface DaemonOptions {
  readonly settings: Settings;
  /** Absolute. */
  readonly mountpoint: string;
  /** Lets other users of the machine in, as far as permission bits allow. */
  readonly allowOther: boolean;
  /** Whether the history is kept. Without it a read-only mount need not see opens: the kernel opens what it has cached on its own. */
  readonly audit: boolean;
  /** The session to go on with; undefined for a new one. */
  readonly session: string | undefined;
  /** In whose name things are done that nobody else answers for; undefined for the user of this process. */
  readonly actor: string | undefined;
  /** Makes the driver; what it reports are bugs, and go to errors.jsonl. */
  readonly driver: (report: BugReporter) => Driver & { readonly name: DriverName };
  readonly onProgress: (status: StatusView) => void;
  /** Called once when the first index is complete, or could not be made: then with the reason. */
  readonly onReady: (status: StatusView, failure: string | undefined) => void;
}

export interface Daemon {
  status(): StatusView;
  /** Resolves when the mount is gone and all is closed, for whatever reason. */
  readonly ended: Promise<void>;
  /** Unmounts and ends; safe to call more than once. */
  stop(): Promise<void>;
}

/** How often the index is asked whether another process changed it. */
const FOLLOW_INTERVAL_MS = 500;

const PUBLISH_WITHIN_MS = 200;

/**
 * Mounts the tree and keeps it equal to the docs on disk until stopped or unmounted.
 * @throws UserError where state folder, docs or mount point cannot be used
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { settings, mountpoint } = options;
  const state = stateFolderAt(settings.state);
  prepareStateFolder(state);
  for (const other of liveDaemons(state)) {
    if (other.docs === settings.docs) continue;
    throw new UserError(
      `${settings.state}: this state folder serves ${other.docs}, mounted at ${other.mountpoint}; choose another with --state`,
    );
  }
  openStore(state.indexFile).close();
  const daemon = new RunningDaemon(options);
  // Reading begins while the mount is made; what it tells waits for that.
  const live = daemon.followDocs();
  try {
    const mounted = await daemon.mount();
    daemon.follow(mounted, registerDaemon(state, mountpoint, settings.docs));
    return daemon;
  } catch (error) {
    await live.stop();
    daemon.close();
    throw error;
  }
}

class RunningDaemon implements Daemon {
  readonly ended: Promise<void>;
  readonly #options: DaemonOptions;
  readonly #startedMs = systemClock.nowMs();
  readonly #app: ReturnType<typeof openApp>;
  #state: DaemonState = 'indexing';
  readonly #progress = new IndexProgress(systemClock);
  #mounted: Mounted | undefined;
  #live: LiveDocs | undefined;
  readonly #driver: ReturnType<DaemonOptions['driver']>;
  #revision: number;
  #stopping: Promise<void> | undefined;
  #resolveEnded: () => void = () => {};
  #publishing: NodeJS.Timeout | undefined;
  /** As last published: what status.json shows stays the same until the next event. */
  #view: StatusView;

  constructor(options: DaemonOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#app = openApp({
      settings: options.settings,
      excluded: [options.mountpoint],
      status: () => this.#view,
      session: {
        kind: 'mount',
        id: options.session,
        mountpoint: options.mountpoint,
        startTicks: ownStartTicks(),
      },
      actor: options.actor,
      audit: options.audit,
      slowInThread: true,
    });
    this.#driver = options.driver((error, operation) => this.#fault(operation, error));
    this.#revision = this.#app.store.revision();
    this.#view = this.#currentView();
  }

  status(): StatusView {
    return this.#view;
  }

  #currentView(): StatusView {
    const { mountpoint } = this.#options;
    const driver = this.#driver.name;
    return statusView(
      this.#app,
      { mountpoint, driver, startedMs: this.#startedMs },
      this.#state,
      this.#progress,
    );
  }

  /** Begins to follow the docs. What is told of them is heard once the tree is mounted. */
  followDocs(): LiveDocs {
    const { settings, mountpoint } = this.#options;
    this.#live = new LiveDocs({
      docs: settings.docs,
      indexFile: this.#app.state.indexFile,
      excluded: [settings.state, mountpoint],
      maxBytes: settings.maxDocumentBytes,
      onCrash: (error) => {
        this.#fault('index', error);
        this.#ready(String(error));
      },
    });
    return this.#live;
  }

  async mount(): Promise<Mounted> {
    const { mountpoint, allowOther, audit, settings } = this.#options;
    return this.#driver.mount(this.#app.fs, mountpoint, {
      ...DEFAULT_MOUNT_OPTIONS,
      allowOther,
      // The kernel can only open on its own what nobody can write to.
      seeOpens: audit || !settings.readOnly,
      readOnly: settings.readOnly,
    });
  }

  /** Passes changes on to the kernel until the mount is gone. */
  follow(mounted: Mounted, unregister: () => void): void {
    this.#mounted = mounted;
    this.#app.fs.onChange((paths) => {
      mounted.invalidate(paths).catch((error: unknown) => this.#fault('invalidate', error));
    });
    this.#app.errors.onAdd(() => this.#publish());
    this.#app.memory.onChange(() => this.#publishSoon());
    this.#live?.listen((message) => this.#onLiveDocs(message));
    const timer = setInterval(() => this.#noticeOthers(), FOLLOW_INTERVAL_MS);
    const endHousekeeping = keepHouse(this.#app);
    this.#record('mount');
    void mounted.ended.then(() => this.stop());
    void this.ended.then(() => {
      clearInterval(timer);
      endHousekeeping();
      unregister();
    });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  /** Frees what the constructor opened, where mounting failed. */
  close(): void {
    const { sessions, session } = this.#app.workspace;
    sessions.abandon(session);
    this.#app.close();
  }

  async #end(): Promise<void> {
    this.#state = 'stopping';
    try {
      await this.#mounted?.unmount();
      await this.#live?.stop();
      this.#record('unmount');
    } finally {
      try {
        this.#app.close();
      } finally {
        this.#resolveEnded();
      }
    }
  }

  #record(type: 'mount' | 'unmount'): void {
    const data = { pid: process.pid, version: VERSION, driver: this.#driver.name };
    this.#app.workspace.record({ type, data, context: {} });
  }

  #onLiveDocs(message: LiveDocsMessage): void {
    const watchBefore = this.#progress.watch?.kind;
    this.#progress.take(message);
    switch (message.type) {
      case 'progress':
        this.#noticeRevision();
        this.#publish();
        this.#options.onProgress(this.#view);
        break;
      case 'indexed':
        this.#noticeRevision();
        this.#ready(undefined);
        break;
      case 'failed':
        this.#fault('index', message.reason);
        this.#ready(message.reason);
        break;
      case 'disk-changed':
        this.#app.docsChanged(message.paths);
        // Many may come in a row.
        this.#publishSoon();
        return;
      case 'indexing':
        this.#publishSoon();
        return;
      case 'watch':
        if (message.state.kind !== 'watching') this.#fault('watch', message.state.reason);
        if (watchBefore === 'missing') this.#app.docsReplaced();
        break;
    }
    this.#publish();
  }

  /** For what changes in quick succession. */
  #publishSoon(): void {
    this.#publishing ??= setTimeout(() => {
      this.#publishing = undefined;
      this.#publish();
    }, PUBLISH_WITHIN_MS).unref();
  }

  #publish(): void {
    if (this.#stopping !== undefined) return;
    this.#view = this.#currentView();
    this.#app.statusChanged();
  }

  #ready(failure: string | undefined): void {
    if (this.#state !== 'indexing') return;
    this.#state = 'ready';
    this.#publish();
    this.#options.onReady(this.#view, failure);
  }

  /** Takes in what other processes changed. */
  #noticeOthers(): void {
    if (this.#stopping !== undefined) return;
    this.#noticeRevision();
    try {
      this.#app.workspace.refresh();
    } catch (error) {
      this.#fault('refresh', error);
    }
  }

  #noticeRevision(): void {
    if (this.#stopping !== undefined) return;
    const revision = this.#app.store.revision();
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#app.graphChanged();
    this.#publish();
  }

  #fault(what: string, error: unknown): void {
    this.#app.errors.add({ code: 'EIO', path: '/', message: `${what}: ${reasonOf(error)}` });
  }
}

function ownStartTicks(): string {
  const ticks = startTicksOf(process.pid);
  if (ticks === undefined) throw new Error('this process is not in /proc');
  return ticks;
}
