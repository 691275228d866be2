import { setTimeout } from 'node:timers';
import type { App } from '../app/app.ts';
import { latestErrors } from '../app/error-lines.ts';
import type { MountFigures } from '../fuse/driver.ts';
import { tellStatus } from '../state/told-status.ts';
import type { Faults } from './faults.ts';
import type { IndexProgress } from './index-progress.ts';
import type { SchemaState } from './schema-watch.ts';
import { type DaemonFacts, type DaemonState, type StatusView, statusView } from './status-view.ts';

const PUBLISH_WITHIN_MS = 200;
/** The figures of a mount are published at most this often, since each time `status.json` becomes a new version. */
const FIGURES_EVERY_MS = 2000;

/** The parts that the status is made of. */
export interface StatusParts {
  readonly app: App;
  readonly facts: DaemonFacts;
  readonly progress: IndexProgress;
  readonly schema: () => SchemaState;
  /** Undefined until something is mounted. */
  readonly figures: () => MountFigures | undefined;
  readonly faults: Faults;
}

/** The status of a daemon as it is shown. It stays the same until it is published again. */
export class StatusPublisher {
  readonly #parts: StatusParts;
  #state: DaemonState = 'indexing';
  #view: StatusView;
  #soon: NodeJS.Timeout | undefined;
  #figuresMs = Number.NEGATIVE_INFINITY;

  constructor(parts: StatusParts) {
    this.#parts = parts;
    this.#view = this.#now();
  }

  get state(): DaemonState {
    return this.#state;
  }

  /** What status.json shows. */
  view(): StatusView {
    return this.#view;
  }

  /** Publishes another state. After `stopping`, nothing is published any more. */
  become(state: DaemonState): void {
    if (this.#state === 'stopping') return;
    this.#state = state;
    this.#publish();
  }

  publish(): void {
    if (this.#state !== 'stopping') this.#publish();
  }

  /** Publishes once for many changes in quick succession. */
  publishSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.publish();
    }, PUBLISH_WITHIN_MS).unref();
  }

  /**
   * Publishes the figures of the mount if they have changed, since no event tells of such a change.
   * @returns in how many milliseconds to call this again; undefined to wait until the mount is used
   */
  publishFigures(): number | undefined {
    const { mount } = this.#view;
    const now = this.#parts.figures();
    if (mount === null || now === undefined) return undefined;
    const isSame =
      now.nodes === mount.nodes && now.handles === mount.handles && now.pending === mount.pending;
    // No event tells that a file was closed or a request answered, so this has to be called again while there are any.
    const againMs = (now.handles ?? 0) + now.pending > 0 ? FIGURES_EVERY_MS : undefined;
    if (isSame) return againMs;
    const waitMs = this.#figuresMs + FIGURES_EVERY_MS - performance.now();
    if (waitMs > 0) return waitMs;
    this.publish();
    return againMs;
  }

  #now(): StatusView {
    const { app, facts, progress, schema, figures } = this.#parts;
    return statusView(app, facts, { state: this.#state, progress, schema: schema(), figures: figures() });
  }

  #publish(): void {
    const { app, facts, faults } = this.#parts;
    // If the index cannot be read, its figures stay as they were.
    this.#view = faults.aside('status', () => this.#now()) ?? {
      ...this.#view,
      state: this.#state,
      errors: app.errors.entries().length,
    };
    this.#figuresMs = performance.now();
    app.statusChanged();
    if (facts.mountpoint === null) faults.aside('status', () => this.#tell());
  }

  /** Writes the status to the state folder, where commands find it if the daemon has no mount. */
  #tell(): void {
    const { state, store, errors } = this.#parts.app;
    tellStatus(state, { ...this.#view, last_errors: latestErrors(store, errors.entries()) });
  }
}
