import { setImmediate } from 'node:timers/promises';
import { MS_PER_DAY } from '../core/clock.ts';
import { sum } from '../core/sum.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { HistoryFile } from '../store/history-table.ts';

export interface RetentionOptions {
  readonly store: Pick<ContextStore, 'history' | 'transact'>;
  readonly nowMs: number;
  readonly keepDays: number;
  readonly maxBytes: number;
  /** Whether a session is live: the file that it wrote to last is kept, whatever its age. Asked just before a file is removed. */
  readonly isLive: (session: string) => boolean;
  /** Called for each file that was removed. */
  readonly onGone?: (file: HistoryFile) => void;
}

/**
 * Removes files of the history that are too old, and then the oldest ones until the rest is small enough. A file is removed as a whole. Takes breaks for the
 * event loop.
 * @returns how many were removed
 */
export async function applyRetention(options: RetentionOptions): Promise<number> {
  const { store, nowMs, keepDays, maxBytes, isLive, onGone } = options;
  const files = store.history.files().sort((a, b) => a.modifiedMs - b.modifiedMs);
  const latest = new Map(files.map(({ session, id }) => [session, id]));
  let totalBytes = sum(files.map(({ sizeBytes }) => sizeBytes));
  let givenUp = 0;
  for (const file of files) {
    const { id, session, sizeBytes, modifiedMs } = file;
    if (modifiedMs >= nowMs - keepDays * MS_PER_DAY && totalBytes <= maxBytes) continue;
    const isGone = store.transact(() => {
      const isWrittenTo = isLive(session) && latest.get(session) === id;
      // An entry may have been recorded meanwhile.
      if (isWrittenTo || store.history.fileById(id)?.sizeBytes !== sizeBytes) return false;
      store.history.giveUp([id], nowMs);
      return true;
    });
    if (!isGone) continue;
    onGone?.(file);
    totalBytes -= sizeBytes;
    givenUp += 1;
    await setImmediate();
  }
  return givenUp;
}
