import { setTimeout } from 'node:timers';
import type { Clock } from '../core/clock.ts';
import type { HistoryEvent, HistoryRecorder } from '../core/history-event.ts';
import { Listeners } from '../core/listeners.ts';
import type { Unsubscribe } from '../core/resolver.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { HistoryFile, HistoryRow, HistoryTable } from '../store/history-table.ts';
import { BURST_GAP_MS, type Burst, Bursts, comesInBursts } from './bursts.ts';
import { type Defaults, rowOfBurst, rowOfEvent } from './entry.ts';

/** Readers of a growing file are notified at most this often. */
const TELL_EVERY_MS = 200;
/** The pause after the disk has refused a write. */
const RETRY_AFTER_MS = 5000;
/** How many rows may wait for a disk that refuses them. Beyond that, the oldest are dropped. */
const MAX_WAITING = 10_000;

export interface HistoryOptions extends Defaults {
  readonly store: Pick<ContextStore, 'transact' | 'inTransaction' | 'afterTransaction' | 'dataVersion'> & {
    readonly history: Pick<HistoryTable, 'append' | 'latestId' | 'filesAfter'>;
  };
  readonly clock: Clock;
  /** Called once when entries cannot be written, and again only if writing has worked in between. */
  readonly onFailure: (error: unknown) => void;
}

/** The log of what is done in one session. */
export interface History {
  /**
   * Records an event: at once, after everything that came before it, or together with its burst. Inside a transaction it is a part of that, and fails with it.
   * Outside it never throws, and what the disk refuses is kept and tried again. A crash loses the bursts that have not ended.
   */
  readonly record: HistoryRecorder;
  /** Tells of files that have grown, because of any process, or that are gone; at most five times a second. */
  onGrowth(listener: (files: readonly HistoryFile[]) => void): Unsubscribe;
  /** Notifies the listeners that retention has removed a file. */
  tellGone(file: HistoryFile): void;
  /** Checks whether another process has recorded something, and notifies the listeners. */
  refresh(): void;
  /** Writes everything that still waits. */
  flush(): void;
  /** Writes everything that still waits, and takes no more events. */
  close(): void;
}

export function openHistory(options: HistoryOptions): History {
  return new StoredHistory(options);
}

class StoredHistory implements History {
  readonly #store: HistoryOptions['store'];
  readonly #clock: Clock;
  readonly #onFailure: HistoryOptions['onFailure'];
  readonly #defaults: Defaults;
  readonly #bursts = new Bursts();
  readonly #listeners = new Listeners<[files: readonly HistoryFile[]]>();
  /** Rows that are not written yet, oldest first. */
  #waiting: HistoryRow[] = [];
  /** Rows that are written in the present transaction. They count as written if it is committed. */
  #entering: HistoryRow[] = [];
  readonly #grown = new Map<number, HistoryFile>();
  #isFailing = false;
  readonly #life: { isOver: boolean } = { isOver: false };
  #writeTimer: NodeJS.Timeout | undefined;
  #tellTimer: NodeJS.Timeout | undefined;
  #dataVersion: number;
  /** The highest id of a row of other processes that is known here. */
  #seenId: number;
  readonly #stopWatching: Unsubscribe;

  constructor({ store, clock, onFailure, ...defaults }: HistoryOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.#defaults = defaults;
    this.#dataVersion = store.dataVersion();
    this.#seenId = store.history.latestId();
    this.#stopWatching = store.afterTransaction((isKept) => this.#settle(isKept));
  }

  readonly record = (event: HistoryEvent): void => {
    if (this.#life.isOver) return;
    const nowMs = this.#clock.nowMs();
    if (comesInBursts(event)) {
      this.#bursts.add(event, nowMs);
      this.#writeSoon(BURST_GAP_MS);
      return;
    }
    this.#queue(this.#bursts.takeAll());
    if (this.#store.inTransaction()) {
      this.#enterWaiting();
      this.#enter(rowOfEvent(event, nowMs, this.#defaults));
    } else {
      this.#waiting.push(rowOfEvent(event, nowMs, this.#defaults));
      this.#write();
    }
  };

  onGrowth(listener: (files: readonly HistoryFile[]) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  tellGone(file: HistoryFile): void {
    if (this.#life.isOver) return;
    this.#grown.set(file.id, file);
    this.#tellSoon();
  }

  refresh(): void {
    const version = this.#store.dataVersion();
    if (version === this.#dataVersion) return;
    this.#dataVersion = version;
    const { history } = this.#store;
    const latestId = history.latestId();
    for (const file of history.filesAfter(this.#seenId)) this.#grown.set(file.id, file);
    this.#seenId = Math.max(this.#seenId, latestId);
    this.#tellSoon();
  }

  flush(): void {
    this.#queue(this.#bursts.takeAll());
    this.#write();
  }

  close(): void {
    if (this.#life.isOver) return;
    this.flush();
    this.#life.isOver = true;
    this.#stopWatching();
    clearTimeout(this.#writeTimer);
    clearTimeout(this.#tellTimer);
  }

  #queue(bursts: readonly Burst[]): void {
    for (const burst of bursts) this.#waiting.push(rowOfBurst(burst, this.#defaults));
  }

  #writeSoon(afterMs: number): void {
    this.#writeTimer ??= setTimeout(this.#writeDue, afterMs).unref();
  }

  readonly #writeDue = (): void => {
    this.#writeTimer = undefined;
    this.#queue(this.#bursts.takeDue(this.#clock.nowMs()));
    this.#write();
    if (!this.#bursts.isEmpty) this.#writeSoon(BURST_GAP_MS);
  };

  /** Writes what waits, in its own transaction. */
  #write(): void {
    if (this.#waiting.length === 0) return;
    try {
      this.#store.transact(() => this.#enterWaiting());
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#onFailure(error);
      this.#isFailing = true;
      this.#tryAgain();
    }
  }

  /** Also called if no transaction could begin. */
  #tryAgain(): void {
    if (this.#waiting.length > MAX_WAITING) this.#waiting = this.#waiting.slice(-MAX_WAITING);
    this.#writeSoon(RETRY_AFTER_MS);
  }

  /** To be called inside a transaction. */
  #enterWaiting(): void {
    const rows = this.#waiting;
    this.#entering.push(...rows);
    this.#waiting = [];
    for (const row of rows) this.#enter(row);
  }

  #enter(row: HistoryRow): void {
    const file = this.#store.history.append(row, this.#clock.nowMs());
    this.#grown.set(file.id, file);
  }

  /** After a rollback, the rows of that transaction wait again: what they tell has happened all the same. */
  #settle(isKept: boolean): void {
    if (isKept) {
      this.#entering = [];
      this.#tellSoon();
      return;
    }
    if (this.#entering.length === 0) return;
    this.#waiting = [...this.#entering, ...this.#waiting];
    this.#entering = [];
    this.#tryAgain();
  }

  #tellSoon(): void {
    if (this.#grown.size === 0) return;
    this.#tellTimer ??= setTimeout(this.#tell, TELL_EVERY_MS).unref();
  }

  readonly #tell = (): void => {
    this.#tellTimer = undefined;
    const grown = [...this.#grown.values()];
    this.#grown.clear();
    this.#listeners.tell(grown);
  };
}
