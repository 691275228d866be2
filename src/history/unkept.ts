import type { Clock } from '../core/clock.ts';
import type { Defaults } from './entry.ts';
import { type History, type HistoryOptions, openHistory } from './history.ts';

const NO_FILE = { id: 0, date: '', session: '', sizeBytes: 0, entries: 0, modifiedMs: 0 };

/** A store that accepts everything and keeps nothing. */
function nowhere(): HistoryOptions['store'] {
  let settled: (isKept: boolean) => void = () => {};
  return {
    history: { append: () => NO_FILE, latestId: () => 0, filesAfter: () => [] },
    transact(body) {
      const result = body();
      settled(true);
      return result;
    },
    inTransaction: () => false,
    afterTransaction(listener) {
      settled = listener;
      return () => {};
    },
    dataVersion: () => 0,
  };
}

/** A history that behaves like any other and keeps nothing, for what is done in nobody's name. */
export function unkeptHistory(options: Defaults & { readonly clock: Clock }): History {
  return openHistory({ ...options, store: nowhere(), onFailure() {} });
}
