/** Finds how a claim contradicts a statement about the same thing. */
import { deniesOtherwise } from './denials.ts';
import type { Numbers } from './number-matches.ts';
import { oppositesOf } from './opposites.ts';
import { isReversed } from './order.ts';
import { isMeasured } from './quantities.ts';
import type { Match, SourceWords } from './word-matches.ts';
import type { StatementWords, Word } from './words-of-statement.ts';

export type Conflict = 'number' | 'denial' | 'opposite' | 'order';

/** Statements that are less close speak of different things, so they cannot contradict each other. */
const CLOSE_ENOUGH = 0.75;
/** The same limit for a claim whose numbers are all measures: a measure is seldom there by chance. */
const CLOSE_ENOUGH_FOR_MEASURES = 0.65;
/** Statements that are this close are about the same thing, so that even bare numbers have to agree. */
const CLOSE_ENOUGH_FOR_BARE_NUMBERS = 0.9;

export function conflictOf(
  claim: StatementWords,
  source: SourceWords,
  matches: readonly Match[],
  numbers: Numbers,
  share: number,
): Conflict | undefined {
  const isMeasure = claim.quantities.every(isMeasured);
  if (numbers.differs && share >= (isMeasure ? CLOSE_ENOUGH_FOR_MEASURES : CLOSE_ENOUGH)) return 'number';
  if (numbers.mayDiffer && share >= CLOSE_ENOUGH_FOR_BARE_NUMBERS) return 'number';
  if (share < CLOSE_ENOUGH) return undefined;
  if (deniesOtherwise(claim, source, matches) && !isConditional(claim, source)) return 'denial';
  if (hasOpposite(claim, source)) return 'opposite';
  return isReversed(claim, source) ? 'order' : undefined;
}

/** "Not until it is attached" is another way to say that it has to be. */
function isConditional(claim: StatementWords, source: StatementWords): boolean {
  const hasCondition = ({ words }: StatementWords) =>
    words.some(({ text }) => text === 'until' || text === 'unless');
  return hasCondition(claim) && !hasCondition(source);
}

function hasOpposite(claim: StatementWords, source: SourceWords): boolean {
  const ours = new Set(claim.words.map(({ text }) => text));
  const theirs = new Set(plainWords(source).map(({ text }) => text));
  return plainWords(claim).some(
    ({ text, isDenied }) =>
      !isDenied &&
      !theirs.has(text) &&
      oppositesOf(text).some((opposite) => theirs.has(opposite) && !ours.has(opposite)),
  );
}

/** Words that are not part of an identifier, such as `created` in `customer.created`. */
export function plainWords({ words }: StatementWords): Word[] {
  return words.filter(({ identifier }) => identifier === undefined);
}
