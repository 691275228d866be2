import { distance } from 'fastest-levenshtein';

/** If a greater share of the letters differs, a word is another word. */
const MAX_CHANGED = 0.5;

/** The known name that a mistyped one most likely means: it differs in few letters, or begins with the typed text. Undefined if none is near. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  return nearestNames(typed, known, 1)[0];
}

/** The known names that a mistyped one may mean, the nearest first. */
export function nearestNames(typed: string, known: readonly string[], count: number): string[] {
  return known
    .map((name) => ({ name, changed: changedShare(typed, name) }))
    .filter(({ changed }) => changed <= MAX_CHANGED)
    .sort((a, b) => a.changed - b.changed)
    .slice(0, count)
    .map(({ name }) => name);
}

function changedShare(typed: string, name: string): number {
  if (typed.length >= 2 && name.startsWith(typed)) return 0.1;
  return distance(typed, name) / Math.max(typed.length, name.length, 1);
}

/** A clause for the end of an error message: `; did you mean mount?`, or nothing. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const name = nearestName(typed, known);
  return name === undefined ? '' : `; did you mean ${name}?`;
}
