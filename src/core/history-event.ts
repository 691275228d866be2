import type { VfsPath } from './paths.ts';
import type { OpContext } from './resolver.ts';

/** What can happen, by its name in `context/history`. */
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
  /** In the mount; absent where it is about no path. */
  readonly path?: VfsPath;
  /** What else there is to say; becomes `data` of the entry. Never a secret. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly context: OpContext;
}

/**
 * Takes events. Those of one kind and caller that come close together (a `grep -r`) become one entry. Inside a transaction of the
 * context store the entry is part of it, and what the disk refuses is thrown; elsewhere it never throws.
 */
export type HistoryRecorder = (event: HistoryEvent) => void;
