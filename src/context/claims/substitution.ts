/** Finds whether a claim has put one thing in the place of another. */
import {
  EMPTY_WEIGHT,
  EMPTY_WORDS,
  type Match,
  placesOfIdentifier,
  type SourceWords,
} from './word-matches.ts';
import type { StatementWords, Word } from './words-of-statement.ts';

/** How many words after the last shared one, or before the first, are considered as replaced. */
const NEAR_BEHIND = 3;
const FAR_BEFORE = 12;

/**
 * Whether the claim has something else where the source has a thing of its own: "charges are kept" for "keys are kept", though charges are what the
 * chapter is about. That is so if a word of the claim is missing from the statement, or is elsewhere in it, and what the statement has in that place,
 * between the same words, is not in the claim.
 */
export function isSubstituted(
  claim: StatementWords,
  source: SourceWords,
  matches: readonly Match[],
): boolean {
  const placed = placedWords(claim, source, matches);
  const inOrder = longestRun(placed.map(({ at }) => at));
  const named = claim.identifiers.flatMap((name) => placesOfIdentifier(source, name));
  const taken = new Set([...matches.flatMap(({ at }) => at ?? []), ...named]);
  return placed.some(({ stem: own, weight }, index) => {
    if (inOrder.has(index) || weight <= EMPTY_WEIGHT) return false;
    const { from, to } = gapAt(index, placed, inOrder, source);
    const isSpare = ({ stem }: Word) => stem !== own && timesIn(source, stem) > timesIn(claim, stem);
    return source.words
      .slice(from, to)
      .some((one, offset) => one.isContent && !taken.has(from + offset) && isSpare(one) && takesPlace(one));
  });
}

/** A word of the claim, with its index among the words of the source if it is there. */
interface PlacedWord {
  readonly at: number | undefined;
  readonly weight: number;
  readonly stem: string;
}

/** The words of the claim, each once, by which places are compared. Numbers hold places, and are compared elsewhere. */
function placedWords(
  claim: StatementWords,
  source: SourceWords,
  matches: readonly Match[],
): readonly PlacedWord[] {
  const byStem = new Map(matches.map((match) => [match.word.stem, match]));
  return claim.words.flatMap(({ stem, text, isContent, identifier }, index) => {
    if (text === '#') return [{ at: placeOf(source, stem), weight: 0, stem }];
    const match = byStem.get(stem);
    const isRepeated = claim.words.findIndex((one) => one.stem === stem) < index;
    return isRepeated || !isContent || identifier !== undefined || match === undefined
      ? []
      : [{ at: match.at, weight: match.weight, stem }];
  });
}

/** The words of the source between the neighbours that a word of the claim has in both, from `from` up to `to`. */
function gapAt(
  index: number,
  placed: readonly PlacedWord[],
  inOrder: ReadonlySet<number>,
  source: SourceWords,
): { readonly from: number; readonly to: number } {
  const previous = placed.findLast((_, other) => other < index && inOrder.has(other))?.at ?? -1;
  const next = placed.find((_, other) => other > index && inOrder.has(other))?.at;
  const to = next ?? Math.min(source.words.length, previous + 1 + NEAR_BEHIND);
  return { from: Math.max(previous + 1, to - FAR_BEFORE), to };
}

function timesIn({ words }: StatementWords, stem: string): number {
  return words.filter((word) => word.stem === stem).length;
}

function placeOf({ words }: StatementWords, stem: string): number | undefined {
  const at = words.findIndex((word) => word.stem === stem);
  return at === -1 ? undefined : at;
}

/** Adverbs and the like do not replace anything. */
function takesPlace({ text }: Word): boolean {
  return !/ly$/.test(text) && !EMPTY_WORDS.has(text);
}

/** A subsequence whose places increase, by its end. */
interface Run {
  readonly index: number;
  readonly place: number;
  readonly length: number;
  readonly before: Run | undefined;
}

/** The indexes of the longest subsequence whose places increase; of several, the one that ends first. */
export function longestRun(places: readonly (number | undefined)[]): ReadonlySet<number> {
  const runs: Run[] = [];
  for (const [index, place] of places.entries()) {
    if (place === undefined) continue;
    const before = longestOf(runs.filter((run) => run.place < place));
    runs.push({ index, place, length: 1 + (before?.length ?? 0), before });
  }
  const indexes = new Set<number>();
  for (let run = longestOf(runs); run !== undefined; run = run.before) indexes.add(run.index);
  return indexes;
}

/** Of several, the first. */
function longestOf(runs: readonly Run[]): Run | undefined {
  return runs.reduce<Run | undefined>(
    (longest, run) => (run.length > (longest?.length ?? 0) ? run : longest),
    undefined,
  );
}
