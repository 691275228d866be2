import type { HistoryRecorder } from '../core/history-event.ts';
import { below, parsePath, type VfsPath } from '../core/paths.ts';
import { HISTORY_POINT, MEMORY_POINT, REVIEW_POINT } from '../core/tree-points.ts';
import type { FsObserver } from '../vfs/system-fs.ts';

/** Opens below these paths are not recorded: the history would feed itself, and a status is looked at all the time. */
const UNNOTED = [parsePath('/.kgraphfs'), HISTORY_POINT];
/** Opens below these paths are recorded by their own code, with what they are about. */
const NOTED_THERE = ['/search'].map(parsePath);
/** Writes below these paths are recorded when they are committed, with what they replaced. */
const NOTED_AT_COMMIT = [MEMORY_POINT, REVIEW_POINT];

/** Records what callers open and search in the history. */
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
