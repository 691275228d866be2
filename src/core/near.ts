import { distance } from 'fastest-levenshtein';

/** So many changed characters at most, and one in so many of the name. */
const MAX_CHANGES = 3;
const CHARACTERS_FOR_A_CHANGE = 4;

/**
 * The name that is nearest to a misspelt one, letter case apart. Two neighbours that changed places are one change.
 * @returns undefined where none is near, or several are equally near
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  const limit = Math.min(MAX_CHANGES, Math.max(1, Math.floor(wanted.length / CHARACTERS_FOR_A_CHANGE)));
  let best: string | undefined;
  let bestChanges = limit + 1;
  let isTie = false;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > limit || candidate === best) continue;
    const changes = changesBetween(wanted, candidate.toLowerCase());
    if (changes < bestChanges) {
      best = candidate;
      bestChanges = changes;
      isTie = false;
    } else if (changes === bestChanges) isTie = true;
  }
  return isTie || wanted.length < 2 ? undefined : best;
}

/** A transposition is two changes to Levenshtein, so one that explains all of two is looked for. */
function changesBetween(a: string, b: string): number {
  const changes = distance(a, b);
  return changes > 1 && a.length === b.length ? changes - transpositions(a, b) : changes;
}

function transpositions(a: string, b: string): number {
  let count = 0;
  for (let at = 0; at + 1 < a.length; at += 1) {
    if (a[at] === b[at] || a[at] !== b[at + 1] || a[at + 1] !== b[at]) continue;
    count += 1;
    at += 1;
  }
  return count;
}
