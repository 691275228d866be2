import { distance } from 'fastest-levenshtein';

/** The maximal number of changed characters, and the length of name for which one is allowed. */
const MAX_CHANGES = 3;
const CHARACTERS_FOR_A_CHANGE = 4;

/**
 * The name that is most similar to a misspelt one, ignoring letter case. The transposition of two neighbours is one change.
 * @returns undefined if none is similar, or several are equally similar
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  return nearestWithin(changesAllowed(wanted), wanted, candidates).only;
}

/** Whether any name is similar, and which one if it is the only one. */
interface Near {
  readonly isAny: boolean;
  readonly only: string | undefined;
}

/** @param wanted in lower case */
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

/** @param wanted in lower case */
export function changesAllowed(wanted: string): number {
  return Math.min(MAX_CHANGES, Math.max(1, Math.floor(wanted.length / CHARACTERS_FOR_A_CHANGE)));
}

/** For Levenshtein a transposition is two changes: visible ones are undone before the rest is counted. */
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
