import type { HistoryEvent } from '../core/history-event.ts';
import { isoTime } from '../core/iso-time.ts';
import type { OpContext } from '../core/resolver.ts';
import type { HistoryRow } from '../store/history-table.ts';
import type { Burst } from './bursts.ts';

/** In whose name events are recorded that do not say it themselves. */
export interface Defaults {
  readonly actor: string;
  readonly session: string;
  /** Whether a session exists. If not, the session that a caller names is ignored. Default: every one exists. */
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
 * One line of `context/history`. `actor` is the name of a command, tool or person. Its process is in `data.pid` and `data.uid`, if it is known. Times are ISO
 * 8601.
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
 * The entry of a burst. A burst of one event gives an ordinary entry. Otherwise `data` says how many events there were, the first hundred paths, and the time
 * of the last event; the entry has a path only if all events have the same one.
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
