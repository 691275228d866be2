import type { ContextStore } from '../store/context-store.ts';

const MS_PER_DAY = 24 * 60 * 60 * 1000;

export interface RetentionOptions {
  readonly store: Pick<ContextStore, 'history' | 'transact'>;
  readonly nowMs: number;
  readonly keepDays: number;
  readonly maxBytes: number;
  /** Sessions whose files stay, whatever their age. */
  readonly liveSessions: ReadonlySet<string>;
}

/**
 * Gives up the files of the history that are too old, then the oldest ones until the rest is small enough. A file goes as a whole.
 * @returns how many went
 */
export function applyRetention({ store, nowMs, keepDays, maxBytes, liveSessions }: RetentionOptions): number {
  return store.transact(() => {
    const files = store.history.files().sort((a, b) => a.modifiedMs - b.modifiedMs);
    let totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const givenUp: number[] = [];
    for (const { id, session, sizeBytes, modifiedMs } of files) {
      if (liveSessions.has(session)) continue;
      if (modifiedMs >= nowMs - keepDays * MS_PER_DAY && totalBytes <= maxBytes) continue;
      givenUp.push(id);
      totalBytes -= sizeBytes;
    }
    store.history.giveUp(givenUp, nowMs);
    return givenUp.length;
  });
}
