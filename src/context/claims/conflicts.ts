/** In what a claim and a statement of the same differ. */

import type { Numbers } from './number-matches.ts';
import { oppositesOf } from './opposites.ts';
import { isReversed } from './order.ts';
import { isMeasured } from './quantities.ts';
import { longestRun } from './substitution.ts';
import type { Match, SourceWords } from './word-matches.ts';
import type { StatementWords, Word } from './words-of-statement.ts';

export type Conflict = 'number' | 'denial' | 'opposite' | 'order';

/** Statements less close than that speak of other things, so they cannot contradict each other. */
const CLOSE_ENOUGH = 0.75;
/** The same for a measure, which is seldom there by chance. */
const CLOSE_ENOUGH_FOR_MEASURES = 0.65;
/** So close that a bare number of the one has to be that of the other. */
const CLOSE_ENOUGH_FOR_BARE_NUMBERS = 0.9;
/** Of what both say, so much has to be denied by one of them alone. */
const DENIED_SHARE = 0.15;
const CLAUSE_SHARE = 0.6;

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
  if (isDeniedElsewhere(source, matches) && !isConditional(claim, source)) return 'denial';
  if (hasOpposite(claim, source)) return 'opposite';
  return isReversed(claim, source) ? 'order' : undefined;
}

/** Whether what the one denies, the other says. */
function isDeniedElsewhere(source: SourceWords, matches: readonly Match[]): boolean {
  const both = matches.filter(({ at }) => at !== undefined);
  const weight = sum(both.map((match) => match.weight));
  const clause = clauseOf(source, both);
  const differing = both.filter(({ word, at, isFlipped }) => {
    const own = source.words.find((one) => one.clause === clause && one.stem === word.stem);
    const there = (own ?? source.words[at ?? 0])?.isDenied ?? false;
    return (word.isDenied !== there) !== isFlipped;
  });
  return differing.length > 0 && sum(differing.map((match) => match.weight)) >= DENIED_SHARE * weight;
}

/** The clause of the source that says most of the claim, and of two that say as much the one that has the claim's order; undefined where no clause says most of it. */
function clauseOf(source: SourceWords, matches: readonly Match[]): number | undefined {
  const clauses = [...new Set(source.words.map(({ clause }) => clause))];
  const weight = sum(matches.map((match) => match.weight));
  const scored = clauses.map((clause) => {
    const words = source.words.flatMap((word, at) =>
      word.clause === clause ? [{ stem: word.stem, at }] : [],
    );
    const places = matches.map(({ word }) => words.find(({ stem }) => stem === word.stem)?.at);
    const said = sum(matches.map((match, index) => (places[index] === undefined ? 0 : match.weight)));
    return { clause, said, inOrder: longestRun(places).size };
  });
  const [best] = scored.sort((a, b) => b.said - a.said || b.inOrder - a.inOrder);
  return best !== undefined && best.said >= CLAUSE_SHARE * weight ? best.clause : undefined;
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

/** A part of a name is no word: `customer.created`. */
export function plainWords({ words }: StatementWords): Word[] {
  return words.filter(({ identifier }) => identifier === undefined);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
