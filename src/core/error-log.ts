import type { Clock } from './clock.ts';
import { isoTime } from './iso-time.ts';
import { Listeners } from './listeners.ts';

/** One line of `.kgraphfs/errors.jsonl`. */
export interface ErrorEntry {
  /** ISO 8601. */
  readonly time: string;
  readonly code: string;
  /** The path it happened at, as the mount shows it. */
  readonly path: string;
  /** 1-based, where it is a place in a text. */
  readonly line?: number;
  readonly message: string;
}

/** How many errors a status names. */
export const SHOWN_ERRORS = 5;

/** The reasons of refusals and failures that a person cannot guess, the latest of them. */
export class ErrorLog {
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #entries: ErrorEntry[] = [];
  #total = 0;
  readonly #listeners = new Listeners();

  constructor(clock: Clock, capacity = 1000) {
    this.#clock = clock;
    this.#capacity = capacity;
  }

  /** @returns takes the entry out again, for a state of things that is over */
  add(entry: Omit<ErrorEntry, 'time'>): () => void {
    const added: ErrorEntry = { time: isoTime(this.#clock.nowMs()), ...entry };
    this.#entries.push(added);
    if (this.#entries.length > this.#capacity) this.#entries.shift();
    this.#total += 1;
    this.#listeners.tell();
    return () => {
      const place = this.#entries.indexOf(added);
      if (place === -1) return;
      this.#entries.splice(place, 1);
      this.#listeners.tell();
    };
  }

  /** The latest entries, oldest first. */
  entries(): readonly ErrorEntry[] {
    return this.#entries;
  }

  /** How many there ever were: changes with each entry. */
  total(): number {
    return this.#total;
  }

  /** Calls a listener when an entry comes or is taken out. @returns ends that */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }
}
