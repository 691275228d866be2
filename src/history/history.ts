import { setTimeout } from 'node:timers';
import type { Clock } from '../core/clock.ts';
import type { HistoryEvent, HistoryRecorder } from '../core/history-event.ts';
import type { Unsubscribe } from '../core/resolver.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { HistoryFile, HistoryRow } from '../store/history-table.ts';
import { BURST_GAP_MS, Bursts, comesInBursts } from './bursts.ts';
import { type Defaults, rowOfBurst, rowOfEvent } from './entry.ts';

/** Readers of a growing file are told of it at most this often. */
const TELL_EVERY_MS = 200;
/** Rows that wait for a disk that refuses them; older ones are given up. */
const MAX_WAITING = 10_000;

export interface HistoryOptions extends Defaults {
  readonly store: Pick<ContextStore, 'history' | 'transact' | 'inTransaction' | 'dataVersion'>;
  readonly clock: Clock;
  /** Told once when entries cannot be written, and again after that has worked in between. */
  readonly onFailure: (error: unknown) => void;
}

/** The log of what is done in one session. */
export interface History {
  /**
   * Enters an event: at once, after all that came before it, or with its burst. Inside a transaction it is part of that, and fails
   * with it; outside, what the disk refuses is kept and tried again.
   */
  readonly record: HistoryRecorder;
  /** Tells of files that grew, by whatever process; at most five times a second. */
  onGrowth(listener: (files: readonly HistoryFile[]) => void): Unsubscribe;
  /** Looks whether another process entered something, and tells. */
  refresh(): void;
  /** Enters what still waits. */
  flush(): void;
  /** Enters what still waits, and takes no more. */
  close(): void;
}

export function openHistory(options: HistoryOptions): History {
  return new StoredHistory(options);
}

class StoredHistory implements History {
  readonly #options: HistoryOptions;
  readonly #bursts = new Bursts();
  readonly #listeners = new Set<(files: readonly HistoryFile[]) => void>();
  readonly #grown = new Map<number, HistoryFile>();
  #waiting: HistoryRow[] = [];
  #isFailing = false;
  readonly #closing = new AbortController();
  #burstTimer: NodeJS.Timeout | undefined;
  #tellTimer: NodeJS.Timeout | undefined;
  #dataVersion: number;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#dataVersion = options.store.dataVersion();
  }

  readonly record = (event: HistoryEvent): void => {
    if (this.#closing.signal.aborted) return;
    const { clock, store } = this.#options;
    const nowMs = clock.nowMs();
    if (comesInBursts(event)) {
      this.#bursts.add(event, nowMs);
      this.#burstTimer ??= setTimeout(this.#writeDue, BURST_GAP_MS).unref();
      return;
    }
    const rows = this.#bursts.takeAll().map((burst) => rowOfBurst(burst, this.#options));
    rows.push(rowOfEvent(event, nowMs, this.#options));
    if (store.inTransaction()) this.#append(rows);
    else this.#write(rows);
  };

  onGrowth(listener: (files: readonly HistoryFile[]) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  refresh(): void {
    const { store } = this.#options;
    const version = store.dataVersion();
    if (version === this.#dataVersion) return;
    this.#dataVersion = version;
    // Which files another process wrote to is not worth finding out: whoever is told looks at their sizes.
    this.#tellSoon(store.history.files());
  }

  flush(): void {
    this.#write(this.#bursts.takeAll().map((burst) => rowOfBurst(burst, this.#options)));
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.flush();
    this.#closing.abort();
    clearTimeout(this.#burstTimer);
    clearTimeout(this.#tellTimer);
  }

  readonly #writeDue = (): void => {
    const due = this.#bursts.takeDue(this.#options.clock.nowMs());
    this.#burstTimer = this.#bursts.isEmpty ? undefined : setTimeout(this.#writeDue, BURST_GAP_MS).unref();
    this.#write(due.map((burst) => rowOfBurst(burst, this.#options)));
  };

  /** Outside of any transaction: what cannot be written now is tried again with the next entry. */
  #write(rows: readonly HistoryRow[]): void {
    const all = [...this.#waiting, ...rows];
    if (all.length === 0) return;
    try {
      this.#options.store.transact(() => this.#append(all));
      this.#waiting = [];
      this.#isFailing = false;
    } catch (error) {
      this.#waiting = all.slice(-MAX_WAITING);
      if (!this.#isFailing) this.#options.onFailure(error);
      this.#isFailing = true;
    }
  }

  #append(rows: readonly HistoryRow[]): void {
    this.#tellSoon(rows.map((row) => this.#options.store.history.append(row)));
  }

  #tellSoon(files: readonly HistoryFile[]): void {
    if (this.#listeners.size === 0) return;
    for (const file of files) this.#grown.set(file.id, file);
    this.#tellTimer ??= setTimeout(() => {
      this.#tellTimer = undefined;
      const grown = [...this.#grown.values()];
      this.#grown.clear();
      for (const listener of this.#listeners) listener(grown);
    }, TELL_EVERY_MS).unref();
  }
}
