import type { App } from '../app/app.ts';
import { systemClock } from '../core/clock.ts';
import { reasonOf } from '../core/errors.ts';
import { VERSION } from '../core/version.ts';
import { DEFAULT_MOUNT_OPTIONS, type Mounted } from '../fuse/driver.ts';
import { LiveDocs } from '../ingest/live-docs.ts';
import type { LiveDocsMessage } from '../ingest/live-docs-message.ts';
import { followModules, readGraphTexts } from '../modules/follow-modules.ts';
import type { Daemon, DaemonOptions, MountWish } from './daemon-options.ts';
import { Faults } from './faults.ts';
import { keepHouse } from './housekeeping.ts';
import { IndexProgress } from './index-progress.ts';
import { OthersChanges } from './others-changes.ts';
import { rehearse } from './rehearse.ts';
import type { SchemaWatch } from './schema-watch.ts';
import { StatusPublisher } from './status-publisher.ts';
import type { StatusView } from './status-view.ts';

/** How long mounting waits for modules. */
const MODULES_WITHIN_MS = 3000;

/** A project that is open, is mounted if wanted, and follows its docs. */
export class RunningDaemon implements Daemon {
  readonly ended: Promise<void>;
  readonly #options: DaemonOptions;
  readonly #app: App;
  readonly #faults: Faults;
  readonly #progress = new IndexProgress(systemClock);
  readonly #status: StatusPublisher;
  readonly #others: OthersChanges;
  readonly #driver: ReturnType<MountWish['driver']> | undefined;
  #mounted: Mounted | undefined;
  #live: LiveDocs | undefined;
  /** Why the docs could not be read the last time; undefined if they could. */
  #failure: string | undefined;
  #endRehearsal: (() => void) | undefined;
  #endFollowing: (() => void) | undefined;
  #stopping: Promise<void> | undefined;
  #resolveEnded: () => void = () => {};

  /** @param app closed at the end */
  constructor(options: DaemonOptions, schema: SchemaWatch, app: App) {
    this.#options = options;
    this.#app = app;
    this.#faults = new Faults(app.errors);
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#driver = options.mount?.driver((error, operation) => this.#faults.add(operation, error));
    this.#status = new StatusPublisher({
      app,
      facts: {
        mountpoint: options.mount?.mountpoint ?? null,
        driver: this.#driver?.name ?? null,
        startedMs: systemClock.nowMs(),
      },
      progress: this.#progress,
      schema: () => schema.state(),
      figures: () => this.#mounted?.figures(),
      faults: this.#faults,
    });
    this.#others = new OthersChanges({
      app,
      schema,
      status: this.#status,
      faults: this.#faults,
      onLost: () => this.#endWhereUseless(),
      onMap: (rules) => {
        app.readBy(rules);
        this.#live?.readBy(rules);
      },
    });
  }

  status(): StatusView {
    return this.#status.view();
  }

  /** Prepares the texts of modules that join the graph for the first index. After a time limit it goes on without them. */
  async readModules(): Promise<void> {
    const modules = this.#app.modules();
    if (modules === undefined || modules.searched().length === 0) return;
    await readGraphTexts(modules, MODULES_WITHIN_MS, (paths) => {
      if (this.#stopping === undefined) this.#live?.noteChanged(paths);
    });
  }

  /** Begins to follow the docs. Messages about them are handled once {@link follow} is called. */
  followDocs(): void {
    const { settings, mount } = this.#options;
    const { indexFile, searchFile, extractionsFile, learningFile } = this.#app.state;
    this.#live = new LiveDocs({
      docs: settings.selection,
      indexFile,
      searchFile,
      extractionsFile,
      excluded: [settings.state, ...(mount ? [mount.mountpoint] : [])],
      maxBytes: settings.maxDocumentBytes,
      rulesFile: settings.learning.rules ? learningFile : undefined,
      mayRead: this.#app.refuseReplacedIndex,
      onCrash: (error) => {
        this.#faults.add('index', error);
        this.#ready(reasonOf(error));
      },
    });
  }

  async mount(): Promise<Mounted | undefined> {
    const { mount, audit, settings } = this.#options;
    if (mount === undefined) return undefined;
    return this.#driver?.mount(this.#app.fs, mount.mountpoint, {
      ...DEFAULT_MOUNT_OPTIONS,
      allowOther: mount.allowOther,
      // The kernel may open files by itself only if nobody can write.
      seeOpens: audit || !settings.readOnly,
      readOnly: settings.readOnly,
    });
  }

  /** Passes changes on to the kernel, until the mount is gone. */
  follow(mounted: Mounted | undefined): void {
    this.#mounted = mounted;
    this.#app.fs.onChange((paths) => {
      mounted?.invalidate(paths).catch((error: unknown) => this.#faults.add('invalidate', error));
    });
    this.#app.errors.onChange(() => this.#status.publish());
    this.#app.memory.onChange(() => this.#status.publishSoon());
    this.#app.modules()?.onChange(() => this.#status.publishSoon());
    this.#live?.listen((message) => this.#faults.aside('index', () => this.#onLiveDocs(message)));
    this.#others.follow();
    this.#app.vectors?.onChange(() => {
      this.#status.publishSoon();
      this.#others.soon();
    });
    const endHousekeeping = keepHouse(this.#app);
    const modules = this.#app.modules();
    const endModules = modules && followModules(modules, (paths) => this.#live?.noteChanged(paths));
    this.#endFollowing = () => {
      this.#others.close();
      endHousekeeping();
      endModules?.();
    };
    if (mounted) {
      this.#record('mount');
      void mounted.ended.then(() => this.stop());
    }
    this.#status.publish();
    this.#app.warmSearch();
    this.#endRehearsal = mounted && rehearse(this.#app, mounted);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  async #end(): Promise<void> {
    this.#status.become('stopping');
    this.#endRehearsal?.();
    try {
      await this.takeDown();
      if (this.#mounted) this.#record('unmount');
    } finally {
      try {
        this.#app.close();
      } finally {
        this.#resolveEnded();
      }
    }
  }

  /** A mount can still be read, so that its content can be copied. A daemon without a mount is of no use any more, and no command could end it. */
  #endWhereUseless(): void {
    if (this.#options.mount !== undefined) return;
    this.stop().catch((error: unknown) => this.#faults.add('stop', error));
  }

  /** Ends everything that was begun, except for the app. */
  async takeDown(): Promise<void> {
    this.#endFollowing?.();
    try {
      await this.#mounted?.unmount();
    } finally {
      await this.#live?.stop();
    }
  }

  #record(type: 'mount' | 'unmount'): void {
    const data = { pid: process.pid, version: VERSION, driver: this.#driver?.name };
    this.#app.workspace.record({ type, data, context: {} });
  }

  #onLiveDocs(message: LiveDocsMessage): void {
    const watchBefore = this.#progress.watch?.kind;
    this.#progress.take(message);
    switch (message.type) {
      case 'progress':
        this.#others.noticeRevision();
        this.#status.publish();
        this.#options.onProgress(this.#status.view());
        break;
      case 'indexed':
        this.#failure = undefined;
        this.#others.noticeRevision();
        this.#ready(undefined);
        break;
      case 'failed':
        // It is tried again and again, and told once.
        if (message.reason !== this.#failure) this.#faults.add('index', message.reason, message.code);
        this.#failure = message.reason;
        this.#ready(message.reason);
        break;
      case 'disk-changed':
        // Modules report their own changes.
        this.#app.docsChanged(message.paths.filter((path) => !path.startsWith('/')));
        // Many of these messages may come in a row.
        this.#status.publishSoon();
        return;
      case 'indexing':
        this.#status.publishSoon();
        return;
      case 'watch':
        this.#faults.state('watch', message.state.kind === 'watching' ? undefined : message.state.reason);
        // Even if one of several roots is still missing, another one may have come back.
        if (watchBefore === 'missing') this.#replaceDocs();
        // A schema map may have come or gone together with the docs.
        this.#others.soon();
        break;
    }
    this.#status.publish();
  }

  #replaceDocs(): void {
    this.#app.docsReplaced().catch((error: unknown) => this.#faults.add('docs', error));
  }

  #ready(failure: string | undefined): void {
    if (this.#status.state !== 'indexing') return;
    this.#status.become('ready');
    this.#options.onReady(this.#status.view(), failure);
    this.#app.modules()?.start();
    this.#app.warmSearch();
  }
}
