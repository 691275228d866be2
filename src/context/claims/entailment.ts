/**
 * How far one statement says what another one claims, decided without a model: by the words that they share, each with a weight, and by comparing
 * numbers, names, denials, opposites and the order of things.
 */
import { sum } from '../../core/sum.ts';
import { type Conflict, conflictOf, plainWords } from './conflicts.ts';
import { matchQuantities } from './number-matches.ts';
import { oppositesOf, STRONG_WORDS } from './opposites.ts';
import { isSubstituted } from './substitution.ts';
import {
  compactness,
  type Match,
  matchWords,
  placesOfIdentifier,
  type SourceWords,
  type Weighing,
} from './word-matches.ts';
import type { StatementWords } from './words-of-statement.ts';

/** All from 0 to 1. */
export interface Comparison {
  /** How far the source says what the claim says. */
  readonly support: number;
  /** How far both are about the same thing, whatever they say of it; a little more if the source has the shared words close together. */
  readonly closeness: number;
  /** What they say differently about the same thing. */
  readonly conflict: Conflict | undefined;
}

/** The most support that a claim can get if something essential of it is missing from the source. */
const UNSAID = 0.6;
const CONTRADICTED = 0.1;
/** The share of a claim's words that the source has to have, whatever numbers and names add. */
const MIN_WORDS_SAID = 0.8;
/** What words add to closeness that only occur in what is above the statement, or whose opposite it has. */
const ELSEWHERE = 0.9;
const OPPOSITE = 0.95;
const COMPACT = 0.1;
/** What each number and each name that both have adds. */
const TOLD = 0.05;
const IDENTIFIER_WEIGHT = 2;
const QUANTITY_WEIGHT = 1.5;

export function compare(claim: StatementWords, source: SourceWords, weighing: Weighing): Comparison {
  const matches = matchWords(claim, source, weighing);
  const numbers = matchQuantities(claim, source);
  const identifiers = claim.identifiers.map((name) => hasIdentifier(source, name));
  const wordWeight = sum(matches.map(({ weight }) => weight));
  const said = sum(matches.map(({ weight, found }) => weight * found));
  const share = wordWeight === 0 ? 0 : exactWeight(matches, source) / wordWeight;
  const named = claim.identifiers.filter((name) => placesOfIdentifier(source, name).length > 0).length;
  const closeness = share + COMPACT * compactness(matches) * share + TOLD * (numbers.found + named);
  const asked = wordWeight + QUANTITY_WEIGHT * numbers.asked + IDENTIFIER_WEIGHT * identifiers.length;
  const got = said + QUANTITY_WEIGHT * numbers.found + IDENTIFIER_WEIGHT * identifiers.filter(Boolean).length;
  const plain = asked === 0 ? 0 : got / asked;
  const isAllNamed = identifiers.every(Boolean);
  const conflict =
    isAllNamed && !source.isCode ? conflictOf(claim, source, matches, numbers, share) : undefined;
  if (conflict !== undefined) return { support: Math.min(plain, CONTRADICTED), closeness, conflict };
  const isMissing =
    !isAllNamed ||
    said < MIN_WORDS_SAID * wordWeight ||
    numbers.found < numbers.asked ||
    isOtherwise(claim, source, matches);
  return { support: isMissing ? Math.min(plain, UNSAID) : plain, closeness, conflict: undefined };
}

/** What the words weigh that the source has just so, or whose opposite it has. */
function exactWeight(matches: readonly Match[], source: SourceWords): number {
  const opposites = new Set(plainWords(source).flatMap(({ text }) => oppositesOf(text)));
  return sum(
    matches.map(({ word, weight, found, at, isExact }) => {
      if (found === 0 && opposites.has(word.text)) return weight * OPPOSITE;
      return isExact ? weight * found * (at === undefined ? ELSEWHERE : 1) : 0;
    }),
  );
}

/** Whether a single word makes the claim another one than the source's, however many words both share. */
function isOtherwise(claim: StatementWords, source: SourceWords, matches: readonly Match[]): boolean {
  return (
    (source.isCode && claim.words.some(({ isDenying }) => isDenying)) ||
    matches.some(({ word, found }) => found === 0 && (word.isName || /\d/.test(word.text))) ||
    isStronger(claim, source) ||
    isSubstituted(claim, source, matches)
  );
}

function hasIdentifier(source: SourceWords, name: readonly string[]): boolean {
  if (placesOfIdentifier(source, name).length > 0) return true;
  return source.underText.some((_, at) => name.every((part, index) => source.underText[at + index] === part));
}

function isStronger(claim: StatementWords, source: SourceWords): boolean {
  const theirs = new Set(source.words.map(({ text }) => text));
  return claim.words.some(({ text }) => STRONG_WORDS.has(text) && !theirs.has(text));
}
