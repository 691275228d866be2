import { setImmediate } from 'node:timers/promises';
import type { ContextStore } from '../store/context-store.ts';

const MS_PER_DAY = 24 * 60 * 60 * 1000;

export interface RetentionOptions {
  readonly store: Pick<ContextStore, 'history' | 'transact'>;
  readonly nowMs: number;
  readonly keepDays: number;
  readonly maxBytes: number;
  /** Whether a session is live: its files stay, whatever their age. Asked of each just before it goes. */
  readonly isLive: (session: string) => boolean;
}

/**
 * Gives up the files of the history that are too old, then the oldest ones until the rest is small enough. A file goes as a whole. Takes
 * breaks for the event loop.
 * @returns how many went
 */
export async function applyRetention(options: RetentionOptions): Promise<number> {
  const { store, nowMs, keepDays, maxBytes, isLive } = options;
  const files = store.history.files().sort((a, b) => a.modifiedMs - b.modifiedMs);
  let totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let givenUp = 0;
  for (const { id, session, sizeBytes, modifiedMs } of files) {
    if (modifiedMs >= nowMs - keepDays * MS_PER_DAY && totalBytes <= maxBytes) continue;
    const isGone = store.transact(() => {
      // Something may have been entered meanwhile.
      if (isLive(session) || store.history.fileById(id)?.sizeBytes !== sizeBytes) return false;
      store.history.giveUp([id], nowMs);
      return true;
    });
    if (!isGone) continue;
    totalBytes -= sizeBytes;
    givenUp += 1;
    await setImmediate();
  }
  return givenUp;
}
