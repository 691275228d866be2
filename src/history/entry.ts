import type { HistoryEvent } from '../core/history-event.ts';
import { isoTime } from '../core/iso-time.ts';
import type { OpContext } from '../core/resolver.ts';
import type { HistoryRow } from '../store/history-table.ts';
import type { Burst } from './bursts.ts';

/** In whose name events are entered that do not say it themselves. */
export interface Defaults {
  readonly actor: string;
  readonly session: string;
  /** Whether there is such a session: what a caller says counts for nothing where there is not. Default: there is. */
  readonly isSession?: (id: string) => boolean;
}

export function actorOf({ caller }: OpContext, { actor }: Defaults): string {
  return caller?.name ?? actor;
}

export function sessionOf({ caller }: OpContext, { session, isSession = () => true }: Defaults): string {
  const claimed = caller?.session;
  return claimed !== undefined && isSession(claimed) ? claimed : session;
}

/**
 * One line of `context/history`. `actor` is the name of a command, tool or person; the process behind it is in `data.pid` and `data.uid`, where
 * it is known. Times are ISO 8601.
 */
interface HistoryEntry {
  readonly timestamp: string;
  readonly event_type: string;
  readonly actor: string;
  readonly path?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly session_id: string;
}

export function rowOfEvent(event: HistoryEvent, timeMs: number, defaults: Defaults): HistoryRow {
  return row(event, timeMs, event.path, { ...processOf(event), ...event.data }, defaults);
}

/**
 * A burst of one is an entry like any other. Of more, `data` has how many they were, the first hundred paths, and when the last one came; the
 * entry has a path only where all had the same.
 */
export function rowOfBurst({ first, firstMs, lastMs, count, paths }: Burst, defaults: Defaults): HistoryRow {
  if (count === 1) return rowOfEvent(first, firstMs, defaults);
  const data = { ...processOf(first), count, paths: [...paths], until: isoTime(lastMs) };
  return row(first, firstMs, paths.size === 1 ? first.path : undefined, data, defaults);
}

function row(
  { type, context }: HistoryEvent,
  timeMs: number,
  path: string | undefined,
  data: Readonly<Record<string, unknown>>,
  defaults: Defaults,
): HistoryRow {
  const actor = actorOf(context, defaults);
  const session = sessionOf(context, defaults);
  const entry: HistoryEntry = {
    timestamp: isoTime(timeMs),
    event_type: type,
    actor,
    ...(path === undefined ? {} : { path }),
    ...(Object.keys(data).length === 0 ? {} : { data }),
    session_id: session,
  };
  return { timeMs, type, actor, session, path, line: `${JSON.stringify(entry)}\n` };
}

function processOf({ context: { caller } }: HistoryEvent): Record<string, number> {
  return {
    ...(caller?.pid === undefined ? {} : { pid: caller.pid }),
    ...(caller?.uid === undefined ? {} : { uid: caller.uid }),
  };
}
