import { isDeepStrictEqual } from 'node:util';
import { isWithin } from '../core/paths.ts';
import type { DocsProblem } from '../source/docs-problem.ts';
import type { PlacedProblem } from '../store/problems.ts';
import type { Store } from '../store/store.ts';
import { compareTexts } from '../text/compare-texts.ts';

/**
 * Stores the problems of a walk in place of those of the walk before.
 * @param places where the walk went. Problems elsewhere stay
 * @param before the stored problems when the walk began
 * @returns paths to be looked at again, which are those of changed problems: a later walk of another process that found no problem there leaves no trace
 */
export function takeScanProblems(
  store: Store,
  places: readonly string[],
  met: readonly DocsProblem[],
  before: readonly PlacedProblem[],
): readonly string[] {
  const merged = (all: readonly PlacedProblem[]) => {
    const elsewhere = all.filter(({ path }) => !places.some((place) => isWithin(path, place)));
    return sorted([...elsewhere, ...met]);
  };
  const latest = store.problems.ofScan();
  if (isDeepStrictEqual(latest, merged(latest))) return [];
  return store.transact(() => {
    const now = store.problems.ofScan();
    const problems = merged(now);
    // Problems that another process has stored since may come from a later walk.
    if (isDeepStrictEqual(now, before)) store.problems.replaceOfScan(problems);
    return differing(now, problems);
  });
}

/** In the order and form in which the store returns them, each once: a folder on the way is met again for each path. */
function sorted(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const once = new Map(
    problems.map(({ path, line, code, message }) => [
      keyOf({ path, line, code, message }),
      { path, line, code, message },
    ]),
  );
  return [...once.values()].sort(
    (a, b) =>
      compareTexts(a.path, b.path) ||
      a.line - b.line ||
      compareTexts(a.code, b.code) ||
      compareTexts(a.message, b.message),
  );
}

/** The paths of the problems that only one of the two lists has. */
function differing(some: readonly PlacedProblem[], others: readonly PlacedProblem[]): string[] {
  const only = (of: readonly PlacedProblem[], without: readonly PlacedProblem[]) => {
    const keys = new Set(without.map(keyOf));
    return of.filter((problem) => !keys.has(keyOf(problem))).map(({ path }) => path);
  };
  return [...only(some, others), ...only(others, some)];
}

function keyOf({ path, line, code, message }: PlacedProblem): string {
  return `${path}\0${line}\0${code}\0${message}`;
}
