import { mountPathOf } from '../core/docs-selection.ts';
import { type ErrorEntry, SHOWN_ERRORS } from '../core/error-log.ts';
import { damageOrReason, isDamage } from '../disk/damage.ts';
import type { PlacedProblem } from '../store/problems.ts';
import type { Store } from '../store/store.ts';

/** A line of `.kgraphfs/errors.jsonl`. Errors in the docs have no time of their own. */
export type ErrorLine = Omit<ErrorEntry, 'time'> & { readonly time?: string };

/** The errors in the docs, or the error that the index cannot be read; then what has gone wrong since the start. */
export function errorLines(
  { problems }: Pick<Store, 'problems'>,
  sinceStart: readonly ErrorEntry[],
): ErrorLine[] {
  return [...ofDocs(() => problems.all()), ...sinceStart];
}

/** The last of these lines, as many as a status contains. */
export function latestErrors(
  { problems }: Pick<Store, 'problems'>,
  sinceStart: readonly ErrorEntry[],
): ErrorLine[] {
  return [...ofDocs(() => problems.latest(SHOWN_ERRORS)), ...sinceStart].slice(-SHOWN_ERRORS);
}

/** If the index is damaged, it is all the more important to show what has gone wrong since the start. */
function ofDocs(read: () => readonly PlacedProblem[]): ErrorLine[] {
  try {
    return read().map(lineOf);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [{ code: 'EIO', path: '/graph', message: damageOrReason(error) }];
  }
}

function lineOf({ path, line, code, message }: PlacedProblem): ErrorLine {
  return { code, path: mountPathOf(path), ...(line > 0 ? { line } : {}), message };
}
