import type { Clock } from '../core/clock.ts';
import { type ErrnoCode, FsError } from '../core/errors.ts';
import type { HistoryEventType, HistoryRecorder } from '../core/history-event.ts';
import { Listeners } from '../core/listeners.ts';
import { parsePath, type SubPath, type VfsPath } from '../core/paths.ts';
import type { OpContext, Unsubscribe } from '../core/resolver.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { PinRow } from '../store/pin-table.ts';
import { queryOf } from './query-name.ts';

export interface PinsParts {
  readonly store: Pick<ContextStore, 'pins' | 'transact' | 'dataVersion'>;
  readonly record: HistoryRecorder;
  readonly clock: Clock;
  /** Default 1,000. */
  readonly maxPins?: number;
}

const MAX_PINS = 1000;
/** The folder of `search/` that contains pinned queries. */
export const PINNED = 'pinned';

/** Pinned queries, by the names of their folders. All mounts of one state folder share them. */
export class Pins {
  readonly #parts: PinsParts;
  #pins: ReadonlyMap<string, PinRow>;
  #dataVersion: number;
  /** When the listing last changed, as far as this process knows: milliseconds since 1970. */
  #changedMs: number;
  readonly #listeners = new Listeners<[names: readonly string[]]>();

  constructor(parts: PinsParts) {
    this.#parts = parts;
    this.#dataVersion = parts.store.dataVersion();
    this.#pins = this.#read();
    this.#changedMs = Math.max(0, ...this.all().map(({ madeMs }) => madeMs));
  }

  /** Sorted by name. */
  all(): readonly PinRow[] {
    return [...this.#pins.values()];
  }

  get(name: string): PinRow | undefined {
    return this.#pins.get(name);
  }

  /** 0 if nothing was ever pinned. */
  changedMs(): number {
    return this.#changedMs;
  }

  /** @throws FsError EEXIST, ENOSPC */
  add(name: string, context: OpContext): void {
    const { store, clock, maxPins = MAX_PINS } = this.#parts;
    this.#change([name], () => {
      if (!store.pins.add(name, clock.nowMs())) refuse('EEXIST', name, 'this query is pinned already');
      if (store.pins.all().length > maxPins) {
        refuse('ENOSPC', name, `${maxPins} queries are pinned, and no more can be; rmdir one first`);
      }
      this.#note('create', name, context);
    });
  }

  /** @throws FsError ENOENT */
  remove(name: string, context: OpContext): void {
    this.#change([name], () => {
      if (!this.#parts.store.pins.remove(name)) refuse('ENOENT', name, 'no such query is pinned');
      this.#note('remove', name, context);
    });
  }

  /** Makes it the pin of another query. @throws FsError ENOENT, EEXIST */
  rename(from: string, to: string, context: OpContext): void {
    this.#change([from, to], () => {
      const { store, clock } = this.#parts;
      if (!store.pins.rename(from, to, clock.nowMs())) {
        const isThere = store.pins.all().some(({ name }) => name === from);
        if (isThere) refuse('EEXIST', to, 'this query is pinned already');
        refuse('ENOENT', from, 'no such query is pinned');
      }
      this.#note('rename', to, context, { from: pathOf(from) });
    });
  }

  /** Finds out whether another process has changed pins, and tells of it. */
  refresh(): void {
    const version = this.#parts.store.dataVersion();
    if (version === this.#dataVersion) return;
    this.#dataVersion = version;
    this.#become(this.#read(), []);
  }

  /** Tells of names that were added or removed. */
  onChange(listener: (names: readonly string[]) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  #change(names: readonly string[], body: () => void): void {
    this.#parts.store.transact(body);
    this.#become(this.#read(), names);
  }

  /** @param ours names that were changed here: they are reported together with those that others have changed */
  #become(now: ReadonlyMap<string, PinRow>, ours: readonly string[]): void {
    const changed = new Set([...ours, ...differing(this.#pins, now)]);
    if (changed.size === 0) return;
    this.#pins = now;
    // Each listing has another time, even in the same millisecond.
    this.#changedMs = Math.max(this.#changedMs + 1, this.#parts.clock.nowMs());
    this.#listeners.tell([...changed]);
  }

  #note(type: HistoryEventType, name: string, context: OpContext, more: Record<string, string> = {}): void {
    this.#parts.record({ type, path: pathOf(name), data: { query: queryOf(name), ...more }, context });
  }

  #read(): ReadonlyMap<string, PinRow> {
    return new Map(this.#parts.store.pins.all().map((pin) => [pin.name, pin]));
  }
}

/** Names that were added, removed, or pinned again. */
function differing(before: ReadonlyMap<string, PinRow>, now: ReadonlyMap<string, PinRow>): string[] {
  return [
    ...[...before.keys()].filter((name) => !now.has(name)),
    ...[...now.keys()].filter((name) => before.get(name)?.madeMs !== now.get(name)?.madeMs),
  ];
}

function refuse(code: ErrnoCode, name: string, why: string): never {
  throw new FsError(code, pathOf(name), why);
}

/** The path of a pinned query below `search/`. */
export function pinnedPath(name: string): SubPath {
  return `${PINNED}/${name}` as SubPath;
}

function pathOf(name: string): VfsPath {
  return parsePath(`/search/${pinnedPath(name)}`);
}
