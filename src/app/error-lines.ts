import { mountPathOf } from '../core/docs-selection.ts';
import { type ErrorEntry, SHOWN_ERRORS } from '../core/error-log.ts';
import { damageOrReason, isDamage } from '../disk/damage.ts';
import type { PlacedProblem } from '../store/problems.ts';
import type { Store } from '../store/store.ts';

/** A line of `.kgraphfs/errors.jsonl`. What is wrong with the docs has no time of its own. */
export type ErrorLine = Omit<ErrorEntry, 'time'> & { readonly time?: string };

/** What is wrong with the docs, or that the index cannot tell; then what went wrong since the start. */
export function errorLines(
  { problems }: Pick<Store, 'problems'>,
  sinceStart: readonly ErrorEntry[],
): ErrorLine[] {
  return [...ofDocs(() => problems.all()), ...sinceStart];
}

/** The last of these lines, as many as a status names. */
export function latestErrors(
  { problems }: Pick<Store, 'problems'>,
  sinceStart: readonly ErrorEntry[],
): ErrorLine[] {
  return [...ofDocs(() => problems.latest(SHOWN_ERRORS)), ...sinceStart].slice(-SHOWN_ERRORS);
}

/** What went wrong since the start is to be read beside a damaged index more than ever. */
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
