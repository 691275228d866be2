import type { HistoryRecorder } from '../core/history-event.ts';
import { below, parsePath, type VfsPath } from '../core/paths.ts';
import { HISTORY_POINT, MEMORY_POINT, REVIEW_POINT } from '../core/tree-points.ts';
import type { FsObserver } from '../vfs/system-fs.ts';

/** What is opened below these is not entered: history would feed itself, and a status is looked at all the time. */
const UNNOTED = [parsePath('/.kgraphfs'), HISTORY_POINT];
/** What is opened below these is entered there, with what it is about. */
const NOTED_THERE = ['/search'].map(parsePath);
/** What is written below these is entered when it is committed, with what it replaced. */
const NOTED_AT_COMMIT = [MEMORY_POINT, REVIEW_POINT];

/** Enters what callers open and search into the history. */
export function historyObserver(record: HistoryRecorder): FsObserver {
  return {
    opened(path, how, context) {
      if (
        isBelow(path, UNNOTED) ||
        isBelow(path, NOTED_THERE) ||
        (how === 'write' && isBelow(path, NOTED_AT_COMMIT))
      )
        return;
      record({ type: how, path, context });
    },
    searched({ text, limit }, scope, hits, context) {
      record({ type: 'search', path: scope, data: { query: text, limit, hits }, context });
    },
  };
}

function isBelow(path: VfsPath, folders: readonly VfsPath[]): boolean {
  return folders.some((folder) => below(path, folder) !== undefined);
}
