import type { VfsPath } from './paths.ts';
import type { OpContext } from './resolver.ts';

/** The events that `context/history` records. */
export const HISTORY_EVENT_TYPES = [
  'mount',
  'unmount',
  'read',
  'write',
  'create',
  'remove',
  'rename',
  'restore',
  'relate',
  'review',
  'expire',
  'search',
  'inject',
  'question',
  'tool',
  'answer',
] as const;
export type HistoryEventType = (typeof HISTORY_EVENT_TYPES)[number];

/** One thing that was done, to be told to the history. */
export interface HistoryEvent {
  readonly type: HistoryEventType;
  /** The path in the mount; absent if the event is about none. */
  readonly path?: VfsPath;
  /** Everything else to record; becomes `data` of the entry. Must not hold a secret. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly context: OpContext;
}

/**
 * Records an event. Events of one kind and caller that come close together (a `grep -r`) become one entry. Inside a transaction of the
 * context store the entry is part of that, and errors of the disk are thrown; elsewhere it never throws.
 */
export type HistoryRecorder = (event: HistoryEvent) => void;
