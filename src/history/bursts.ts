import type { HistoryEvent, HistoryEventType } from '../core/history-event.ts';

/** Opens by one caller that are no further apart than this become one entry. */
export const BURST_GAP_MS = 300;
/** A burst that goes on for longer is written nevertheless, and another one begins. */
const LONGEST_BURST_MS = 5000;
/** How many paths the entry of a burst names. All opens are counted. */
const MAX_PATHS = 100;

/** Types of events that come in thousands, such as the opens of a `grep -r`. */
const IN_BURSTS: ReadonlySet<HistoryEventType> = new Set(['read', 'write', 'search']);

/** Opens of one kind by one caller. */
export interface Burst {
  readonly first: HistoryEvent;
  readonly firstMs: number;
  lastMs: number;
  count: number;
  /** The first hundred different paths. */
  readonly paths: Set<string>;
}

/** Whether an event may share one entry with others of its kind, because it says nothing beyond its path. */
export function comesInBursts({ type, path, data }: HistoryEvent): boolean {
  return IN_BURSTS.has(type) && path !== undefined && data === undefined;
}

/** Collects events with others of the same kind and caller. Nothing is lost: `takeDue` and `takeAll` return each event once. */
export class Bursts {
  readonly #open = new Map<string, Burst>();
  /** Bursts that are over and not yet taken. */
  #over: Burst[] = [];
  /** A shortcut, since most opens are of the same kind and caller as the one before. */
  #latest: { readonly key: string; readonly burst: Burst } | undefined;

  get isEmpty(): boolean {
    return this.#open.size === 0 && this.#over.length === 0;
  }

  add(event: HistoryEvent, nowMs: number): void {
    const key = keyOf(event);
    const burst = this.#latest?.key === key ? this.#latest.burst : this.#open.get(key);
    if (burst !== undefined && !isOver(burst, nowMs)) {
      burst.lastMs = nowMs;
      burst.count += 1;
      if (event.path !== undefined && burst.paths.size < MAX_PATHS) burst.paths.add(event.path);
      this.#latest = { key, burst };
      return;
    }
    if (burst !== undefined) this.#over.push(burst);
    const paths = new Set<string>(event.path === undefined ? [] : [event.path]);
    const begun = { first: withCallerAsNow(event), firstMs: nowMs, lastMs: nowMs, count: 1, paths };
    this.#open.set(key, begun);
    this.#latest = { key, burst: begun };
  }

  /** Takes out the bursts that have been quiet or have gone on for long, in the order in which they began. */
  takeDue(nowMs: number): Burst[] {
    return this.#take((burst) => isOver(burst, nowMs));
  }

  /** Takes out all bursts, in the order in which they began. */
  takeAll(): Burst[] {
    return this.#take(() => true);
  }

  #take(isTaken: (burst: Burst) => boolean): Burst[] {
    const taken = this.#over;
    this.#over = [];
    for (const [key, burst] of this.#open) {
      if (!isTaken(burst)) continue;
      this.#open.delete(key);
      taken.push(burst);
    }
    this.#latest = undefined;
    return taken.sort((a, b) => a.firstMs - b.firstMs);
  }
}

/** Looking up a name costs more than an open does. So if the process is known, its number is the key, and nobody asks for its name. */
function keyOf({ type, context: { caller } }: HistoryEvent): string {
  if (caller === undefined) return type;
  return caller.process === undefined
    ? `${type} ${caller.pid} ${caller.session} ${caller.name}`
    : `${type} ${caller.process}`;
}

/** Asks for the caller's name now: when the burst is over, the process may be gone, and nobody could tell its name. */
function withCallerAsNow(event: HistoryEvent): HistoryEvent {
  const { caller } = event.context;
  if (caller === undefined) return event;
  const { name, pid, uid, session } = caller;
  return { ...event, context: { caller: { name, pid, session, ...(uid === undefined ? {} : { uid }) } } };
}

/** A clock that was set back also ends a burst, since nothing else would. */
function isOver({ firstMs, lastMs }: Burst, nowMs: number): boolean {
  return nowMs - lastMs >= BURST_GAP_MS || nowMs < lastMs || nowMs - firstMs >= LONGEST_BURST_MS;
}
