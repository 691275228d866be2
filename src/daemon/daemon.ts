import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers';
import { type App, openApp } from '../app/app.ts';
import { latestErrors } from '../app/error-lines.ts';
import type { DriverName } from '../config/schema.ts';
import type { Settings } from '../config/settings.ts';
import { systemClock } from '../core/clock.ts';
import { damageOrReason } from '../core/damage.ts';
import { choiceText, docsText, pathInDocs, placeOnDisk, wayOf } from '../core/docs-selection.ts';
import type { EmbeddingSettings } from '../core/embedding-settings.ts';
import { UserError } from '../core/errors.ts';
import { noteRoots } from '../core/noted-roots.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { VERSION } from '../core/version.ts';
import { DEFAULT_MOUNT_OPTIONS, type Driver, type Mounted } from '../fuse/driver.ts';
import type { BugReporter } from '../fuse/errno.ts';
import { LiveDocs, type LiveDocsMessage } from '../ingest/live-docs.ts';
import { lastRules } from '../ingest/schema-stamps.ts';
import { followModules, readGraphTexts } from '../modules/follow-modules.ts';
import type { OpenModules } from '../modules/modules.ts';
import type { MapFault } from '../schema/map-error.ts';
import { claimStateFolder } from '../state/claim.ts';
import type { ConfiguredModules, DocsWay } from '../state/daemons.ts';
import { thisProcess } from '../state/processes.ts';
import { prepareStateFolder, type StateFolder, sharedFiles, stateFolderAt } from '../state/state-folder.ts';
import { tellStatus } from '../state/told-status.ts';
import { replacementOf } from '../store/file-identity.ts';
import { openStore } from '../store/store.ts';
import { takeStepsWhenIdle } from '../system/idle-steps.ts';
import { Looks } from '../system/looks.ts';
import { keepHouse } from './housekeeping.ts';
import { IndexProgress } from './index-progress.ts';
import { SchemaWatch } from './schema-watch.ts';
import { type DaemonState, faultText, mapName, type StatusView, statusView } from './status-view.ts';

/** Where the tree is shown, and how. */
export interface MountWish {
  /** Absolute. */
  readonly mountpoint: string;
  /** Lets other users of the machine in, as far as permission bits allow. */
  readonly allowOther: boolean;
  /** Makes the driver. What it reports are bugs, which go to errors.jsonl. */
  readonly driver: (report: BugReporter) => Driver & { readonly name: DriverName };
}

export interface DaemonOptions {
  readonly settings: Settings;
  /** Undefined for a daemon without a mount: it keeps the index up to date, and a state folder has at most one. */
  readonly mount: MountWish | undefined;
  /** Whether the history is kept. A read-only mount without a history need not see opens, so the kernel can open cached files by itself. */
  readonly audit: boolean;
  /** The session to go on with; undefined for a new one. */
  readonly session: string | undefined;
  /** Whose embeddings search uses; undefined for none. */
  readonly embeddings?: EmbeddingSettings | undefined;
  /** Undefined where no module is configured. */
  readonly openModules?: OpenModules | undefined;
  /** Identifies the configuration of the modules, so that commands can tell whether it was changed since. */
  readonly modulesMark?: ConfiguredModules;
  /** The actor in the history for what no caller is known of; undefined for the user of this process. */
  readonly actor: string | undefined;
  readonly onProgress: (status: StatusView) => void;
  /** Called once, when the first index is complete, or with the reason if it could not be made. */
  readonly onReady: (status: StatusView, failure: string | undefined) => void;
}

export interface Daemon {
  status(): StatusView;
  /** Resolves when all is closed, for whatever reason, such as an unmount from outside. */
  readonly ended: Promise<void>;
  /** Unmounts and ends. Further calls wait for the same end. */
  stop(): Promise<void>;
}

/** A changed schema map is read only if it is still the same after this long. */
const MAP_AGAIN_MS = 500;
/** The rehearsal runs while another thread walks the docs and this one is idle. */
const REHEARSAL_PAUSE_MS = 2;
/** On a machine with one core, other programs are to have most of it. */
const CROWDED_PAUSE_MS = 15;
/** The ingest thread opens the file by its name, so what it writes after a replacement is not seen here. */
const REPLACED_INDEX =
  'the file of the index was removed or replaced while it was in use: graph and search show the docs as they were before; ' +
  'end this daemon, and start it again';
const PUBLISH_WITHIN_MS = 200;
/** How long mounting waits for modules. */
const MODULES_WITHIN_MS = 3000;
/** The figures of a mount are published no more often, since each time `status.json` becomes another file. */
const FIGURES_EVERY_MS = 2000;

/**
 * Starts a daemon, which keeps the index equal to the docs on disk and shows the tree at the mount point, if there is one, until it is stopped or
 * unmounted.
 * @throws UserError where state folder, docs or mount point cannot be used
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { settings, mount, modulesMark } = options;
  const state = stateFolderAt(settings.state);
  prepareStateFolder(state);
  const record = {
    mountpoint: mount?.mountpoint ?? null,
    docs: docsText(settings.selection),
    ways: settings.selection.folders.map((root): DocsWay => [root.name, wayOf(root)]),
    choice: choiceText(settings.selection),
    ...modulesMark,
  };
  const { begun: rules, release } = await claimStateFolder(state, record, () => lastRulesOf(state));
  noteRoots(state.path, settings.selection.folders);
  try {
    const daemon = await beginDaemon(options, await SchemaWatch.begin(settings, rules));
    void daemon.ended.then(release);
    return daemon;
  } catch (error) {
    release();
    throw error;
  }
}

async function beginDaemon(options: DaemonOptions, schema: SchemaWatch): Promise<Daemon> {
  const { settings } = options;
  const selection = { ...settings.selection, schema: schema.state().rules };
  const wish = { ...options, settings: { ...settings, selection } };
  let daemon: RunningDaemon | undefined;
  const app = appOf(wish, schema, () => daemon?.status());
  try {
    daemon = new RunningDaemon(wish, schema, app);
    await daemon.readModules();
    // The docs are read while the mount is being made; messages about them are handled afterwards.
    daemon.followDocs();
    daemon.follow(await daemon.mount());
    return daemon;
  } catch (error) {
    try {
      await daemon?.takeDown();
    } finally {
      app.workspace.sessions.abandon(app.workspace.session);
      app.close();
    }
    throw error;
  }
}

function appOf(
  { settings, mount, session: id, actor, audit, embeddings, openModules }: DaemonOptions,
  schema: SchemaWatch,
  status: () => StatusView | undefined,
): App {
  return openApp({
    settings,
    excluded: mount ? [mount.mountpoint] : [],
    status,
    schemaMap: () => schema.state().file,
    session: mount
      ? { kind: 'mount', id, mountpoint: mount.mountpoint, startTicks: thisProcess().startTicks }
      : { kind: 'command', id },
    actor,
    audit,
    slowInThread: true,
    embeddings,
    openModules,
  });
}

/** The schema rules by which the docs were last read. Makes the index if there is none yet. */
function lastRulesOf({ indexFile }: StateFolder): SchemaRules | undefined {
  const store = openStore(indexFile);
  try {
    return lastRules(store);
  } finally {
    store.close();
  }
}

/** Long because everything that can happen to a daemon meets in its state here. */
class RunningDaemon implements Daemon {
  readonly ended: Promise<void>;
  readonly #options: DaemonOptions;
  readonly #startedMs = systemClock.nowMs();
  readonly #app: App;
  #state: DaemonState = 'indexing';
  readonly #progress = new IndexProgress(systemClock);
  #mounted: Mounted | undefined;
  #looks: Looks | undefined;
  #live: LiveDocs | undefined;
  readonly #driver: ReturnType<MountWish['driver']> | undefined;
  readonly #schema: SchemaWatch;
  readonly #isIndexReplaced: () => boolean;
  #revision: number;
  #endRehearsal: (() => void) | undefined;
  #endFollowing: (() => void) | undefined;
  #stopping: Promise<void> | undefined;
  #resolveEnded: () => void = () => {};
  #publishing: NodeJS.Timeout | undefined;
  #figuresMs = 0;
  /** The last failure that {@link #aside} reported. */
  #toldAside: string | undefined;
  /** What status.json shows: it stays the same until the next event. */
  #view: StatusView;

  /** @param app closed in the end */
  constructor(options: DaemonOptions, schema: SchemaWatch, app: App) {
    this.#options = options;
    this.#schema = schema;
    this.#app = app;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#driver = options.mount?.driver((error, operation) => this.#fault(operation, error));
    const { file, faults } = schema.state();
    if (file !== undefined) this.#noteBrokenMap(file, faults);
    this.#isIndexReplaced = replacementOf(this.#app.state.indexFile);
    this.#revision = this.#app.store.revision();
    this.#view = this.#currentView();
  }

  status(): StatusView {
    return this.#view;
  }

  #currentView(): StatusView {
    const mountpoint = this.#options.mount?.mountpoint ?? null;
    return statusView(
      this.#app,
      { mountpoint, driver: this.#driver?.name ?? null, startedMs: this.#startedMs },
      this.#state,
      this.#progress,
      this.#schema.state(),
      this.#mounted?.figures(),
    );
  }

  /** Gets the texts of modules that join the graph ready for the first index, unless that takes too long. */
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
    this.#live = new LiveDocs({
      docs: settings.selection,
      indexFile: this.#app.state.indexFile,
      searchFile: this.#app.state.searchFile,
      extractionsFile: this.#app.state.extractionsFile,
      excluded: [settings.state, ...(mount ? [mount.mountpoint] : [])],
      maxBytes: settings.maxDocumentBytes,
      rulesFile: settings.learning.rules ? this.#app.state.learningFile : undefined,
      onCrash: (error) => {
        this.#fault('index', error);
        this.#ready(String(error));
      },
    });
  }

  async mount(): Promise<Mounted | undefined> {
    const { mount, audit, settings } = this.#options;
    if (mount === undefined) return undefined;
    return this.#driver?.mount(this.#app.fs, mount.mountpoint, {
      ...DEFAULT_MOUNT_OPTIONS,
      allowOther: mount.allowOther,
      // The kernel can open files by itself only where nobody can write.
      seeOpens: audit || !settings.readOnly,
      readOnly: settings.readOnly,
    });
  }

  /** Passes changes on to the kernel, until the mount is gone. */
  follow(mounted: Mounted | undefined): void {
    this.#mounted = mounted;
    this.#app.fs.onChange((paths) => {
      mounted?.invalidate(paths).catch((error: unknown) => this.#fault('invalidate', error));
    });
    this.#app.errors.onAdd(() => this.#publish());
    this.#app.memory.onChange(() => this.#publishSoon());
    this.#app.modules()?.onChange(() => this.#publishSoon());
    this.#live?.listen((message) => this.#aside('index', () => this.#onLiveDocs(message)));
    const looks = new Looks({
      files: async () => [...sharedFiles(this.#app.state), ...(await this.#schema.files())],
      look: () => this.#noticeOthers(),
    });
    this.#looks = looks;
    this.#app.vectors?.onChange(() => {
      this.#publishSoon();
      looks.soon();
    });
    const endHousekeeping = keepHouse(this.#app);
    const modules = this.#app.modules();
    const endModules = modules && followModules(modules, (paths) => this.#live?.noteChanged(paths));
    if (mounted) {
      this.#record('mount');
      void mounted.ended.then(() => this.stop());
    }
    this.#publish();
    this.#app.warmSearch();
    this.#endRehearsal = mounted && this.#rehearse(mounted);
    this.#endFollowing = () => {
      looks.close();
      endHousekeeping();
      endModules?.();
    };
  }

  /** @returns ends it */
  #rehearse(mounted: Mounted): (() => void) | undefined {
    const { fs, workspace } = this.#app;
    const steps = mounted.rehearsal?.(() => {
      const tree = fs.observedBy(workspace.observerForNobody());
      // The mounted tree is called so now and then, and the code that V8 compiles in the rehearsal has to know it.
      const listenAgain = () => tree.tellNextUse(listenAgain);
      listenAgain();
      return tree;
    });
    const crowdedMs = availableParallelism() > 1 ? REHEARSAL_PAUSE_MS : CROWDED_PAUSE_MS;
    return steps && takeStepsWhenIdle(steps, { pauseMs: REHEARSAL_PAUSE_MS, crowdedMs });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  async #end(): Promise<void> {
    this.#state = 'stopping';
    // For the last time: nothing is published once `#stopping` is set.
    this.#publish();
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

  /** Ends what was begun, but for the app. */
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
        // Modules tell of their own changes.
        this.#app.docsChanged(message.paths.filter((path) => !path.startsWith('/')));
        // Many may come in a row.
        this.#publishSoon();
        return;
      case 'indexing':
        this.#publishSoon();
        return;
      case 'watch':
        if (message.state.kind !== 'watching') this.#fault('watch', message.state.reason);
        if (watchBefore === 'missing' && message.state.kind !== 'missing') this.#replaceDocs();
        // A schema map may have come or gone with the docs.
        this.#looks?.soon();
        break;
    }
    this.#publish();
  }

  #replaceDocs(): void {
    this.#app.docsReplaced().catch((error: unknown) => this.#fault('docs', error));
  }

  /** Publishes once for many changes in quick succession. */
  #publishSoon(): void {
    this.#publishing ??= setTimeout(() => {
      this.#publishing = undefined;
      this.#publish();
    }, PUBLISH_WITHIN_MS).unref();
  }

  #publish(): void {
    if (this.#stopping !== undefined) return;
    const { errors } = this.#app;
    // If the index cannot be read, its figures stay as they were.
    this.#view = this.#aside('status', () => this.#currentView()) ?? {
      ...this.#view,
      state: this.#state,
      errors: errors.entries().length,
    };
    this.#figuresMs = systemClock.nowMs();
    this.#app.statusChanged();
    if (this.#options.mount === undefined) this.#aside('status', () => this.#tell());
  }

  /** Writes the status to the state folder, where commands find that of a daemon without a mount. */
  #tell(): void {
    const { state, store, errors } = this.#app;
    tellStatus(state, { ...this.#view, last_errors: latestErrors(store, errors.entries()) });
  }

  /**
   * Publishes the figures of the mount if they changed, of which no event tells.
   * @returns in how many milliseconds to call it again; undefined to wait until the mount is used
   */
  #publishFigures(): number | undefined {
    const { mount } = this.#view;
    const now = this.#mounted?.figures();
    if (mount === null || now === undefined) return undefined;
    const isSame =
      now.nodes === mount.nodes && now.handles === mount.handles && now.pending === mount.pending;
    // No event tells that a file was closed or a request answered.
    const againMs = (now.handles ?? 0) + now.pending > 0 ? FIGURES_EVERY_MS : undefined;
    if (isSame) return againMs;
    const waitMs = this.#figuresMs + FIGURES_EVERY_MS - systemClock.nowMs();
    if (waitMs > 0) return waitMs;
    this.#publish();
    return againMs;
  }

  #ready(failure: string | undefined): void {
    if (this.#state !== 'indexing') return;
    this.#state = 'ready';
    this.#publish();
    this.#options.onReady(this.#view, failure);
    this.#app.modules()?.start();
    this.#app.warmSearch();
  }

  /** Takes in what other processes changed. @returns as {@link LooksOptions.look} */
  async #noticeOthers(): Promise<number | undefined> {
    if (this.#stopping !== undefined) return undefined;
    this.#app.fs.tellNextUse(() => this.#looks?.soon());
    this.#noticeRevision();
    const isMapSettled = await this.#schema.look({
      onMap: (schema) => {
        this.#app.readBy(schema);
        this.#live?.readBy(schema);
      },
      onBroken: (file, faults) => this.#noteBrokenMap(file, faults),
    });
    const refreshedMs = this.#aside('refresh', () => this.#app.refresh());
    const dueMs = [isMapSettled ? undefined : MAP_AGAIN_MS, this.#publishFigures(), refreshedMs];
    return Math.min(...dueMs.filter((ms) => ms !== undefined));
  }

  #noticeRevision(): void {
    if (this.#stopping !== undefined) return;
    this.#aside('index', () => {
      const revision = this.#app.store.revision();
      if (revision !== this.#revision) {
        this.#app.graphChanged();
        this.#revision = revision;
        this.#publish();
      }
      if (this.#isIndexReplaced()) throw new UserError(REPLACED_INDEX);
    });
  }

  /**
   * Does something that no request waits for, so that there is nobody to fail. A failure, such as a damaged file, is reported, the same one only
   * once in a row, and the daemon goes on.
   */
  #aside<Result>(what: string, act: () => Result): Result | undefined {
    try {
      return act();
    } catch (error) {
      const told = damageOrReason(error);
      if (told === this.#toldAside) return undefined;
      this.#toldAside = told;
      this.#fault(what, error);
      return undefined;
    }
  }

  /** @param file absolute */
  #noteBrokenMap(file: string, faults: readonly MapFault[]): void {
    const { docs, selection } = this.#options.settings;
    const place = placeOnDisk(selection, file);
    const path = place === undefined ? '/' : `/docs/${pathInDocs(place.root, place.path)}`;
    for (const fault of faults) {
      const text = faultText(mapName(docs, file), fault);
      const message = `${text}; the schema map is wrong, and the one before stays in use`;
      this.#app.errors.add({ code: 'EINVAL', path, line: fault.line, message });
    }
  }

  #fault(what: string, error: unknown): void {
    this.#app.errors.add({ code: 'EIO', path: '/', message: `${what}: ${damageOrReason(error)}` });
  }
}
