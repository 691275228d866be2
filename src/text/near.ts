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
  return nearestWithin(changesAllowed(wanted), wanted, candidates).only;
}

/** Whether any name is near, and which it is where it is the only one. */
interface Near {
  readonly isAny: boolean;
  readonly only: string | undefined;
}

/** @param wanted in small letters */
export function nearestWithin(limit: number, wanted: string, candidates: Iterable<string>): Near {
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
  return { isAny: best !== undefined, only: isTie || wanted.length < 2 ? undefined : best };
}

/** @param wanted in small letters */
export function changesAllowed(wanted: string): number {
  return Math.min(MAX_CHANGES, Math.max(1, Math.floor(wanted.length / CHARACTERS_FOR_A_CHANGE)));
}

/** A transposition is two changes to Levenshtein: those that are seen are taken back before the rest is counted. */
function changesBetween(a: string, b: string): number {
  const changes = distance(a, b);
  if (changes <= 1 || a.length !== b.length) return changes;
  let restored = '';
  let transpositions = 0;
  for (let at = 0; at < a.length; at += 1) {
    if (at + 1 < a.length && a[at] !== b[at] && a[at] === b[at + 1] && a[at + 1] === b[at]) {
      restored += a.slice(at, at + 2);
      transpositions += 1;
      at += 1;
    } else restored += b[at];
  }
  return transpositions === 0 ? changes : Math.min(changes, transpositions + distance(a, restored));
}
