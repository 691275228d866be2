import type { HistoryEvent, HistoryEventType } from '../core/history-event.ts';

/** Opens of one caller that come this close together are one entry. */
export const BURST_GAP_MS = 300;
/** A burst that goes on for longer is written all the same, and another one begins. */
const LONGEST_BURST_MS = 5000;
/** Paths that an entry of a burst names; all are counted. */
const MAX_PATHS = 100;

/** Events that come in thousands, such as the opens of a `grep -r`. */
const IN_BURSTS: ReadonlySet<HistoryEventType> = new Set(['read', 'write', 'search']);

/** Opens of one kind by one caller. */
export interface Burst {
  readonly first: HistoryEvent;
  readonly firstMs: number;
  lastMs: number;
  count: number;
  /** The first hundred, each once. */
  readonly paths: Set<string>;
}

/** Whether an event may stand in one entry with others of its kind: it says nothing beyond its path. */
export function comesInBursts({ type, path, data }: HistoryEvent): boolean {
  return IN_BURSTS.has(type) && path !== undefined && data === undefined;
}

/** Events that wait for others of their kind and caller. Nothing is lost: who asks for what is due or for all gets each event once. */
export class Bursts {
  readonly #open = new Map<string, Burst>();
  /** Over, and not yet taken. */
  #over: Burst[] = [];
  /** Most opens are of the kind and caller of the one before. */
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

  /** Takes out those that have been quiet or have gone on for long, by when they began. */
  takeDue(nowMs: number): Burst[] {
    return this.#take((burst) => isOver(burst, nowMs));
  }

  /** Takes out all, by when they began. */
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

/** To look up a name costs more than an open does, so where the process is known nobody asks for it. */
function keyOf({ type, context: { caller } }: HistoryEvent): string {
  if (caller === undefined) return type;
  return caller.process === undefined
    ? `${type} ${caller.pid} ${caller.session} ${caller.name}`
    : `${type} ${caller.process}`;
}

/** When the burst is over, its process may be gone and nobody know its name. */
function withCallerAsNow(event: HistoryEvent): HistoryEvent {
  const { caller } = event.context;
  if (caller === undefined) return event;
  const { name, pid, uid, session } = caller;
  return { ...event, context: { caller: { name, pid, session, ...(uid === undefined ? {} : { uid }) } } };
}

/** Also where the clock was put back, since nothing else would end it. */
function isOver({ firstMs, lastMs }: Burst, nowMs: number): boolean {
  return nowMs - lastMs >= BURST_GAP_MS || nowMs < lastMs || nowMs - firstMs >= LONGEST_BURST_MS;
}
