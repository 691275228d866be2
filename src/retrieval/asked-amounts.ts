import type { FoundPassage } from '../store/passages.ts';
import { termsOf } from '../words/tokens.ts';

/**
 * Who asks how long, how often, how large or how many is answered by a number with its unit, which the question does not have: a passage that has one
 * counts more. Measured, as in docs/decisions.md.
 */
const WEIGHT = 1.4;

/** Whether a passage may answer, by the bag of its terms. */
type Answers = (bag: string) => boolean;

const TIMES = 'millisecond second minute hour day night week month quarter year';
const RATES = 'every per once twice interval hourly daily nightly weekly monthly yearly';
const SIZES = 'byte kilobyte megabyte gigabyte pixel';
/** What a number is written to without a space. */
const SHORT_TIMES = 'ms|s|sec|min|h|d';
const SHORT_SIZES = '[kmgt]i?b';

const NUMBER = anyOf(`\\d{1,5}|${alternatives('two three four five six seven eight nine ten')}`);
const TIME = anyOf(`${alternatives(TIMES)}|ms`);
const TIME_WITH_NUMBER = anyOf(`\\d+(?:${SHORT_TIMES})`);
const RATE = anyOf(alternatives(RATES));
const SIZE = anyOf(`${alternatives(SIZES)}|${SHORT_SIZES}`);
const SIZE_WITH_NUMBER = anyOf(`\\d+${SHORT_SIZES}`);
const LENGTH = anyOf(alternatives('character'));

const hasNumber: Answers = (bag) => NUMBER.test(bag);
const hasTime: Answers = (bag) => TIME_WITH_NUMBER.test(bag) || (TIME.test(bag) && NUMBER.test(bag));
const hasSize: Answers = (bag) => SIZE_WITH_NUMBER.test(bag) || (SIZE.test(bag) && NUMBER.test(bag));

/** The first that a question has tells what is asked for. */
const ASKED: readonly { readonly words: RegExp; readonly answers: Answers }[] = [
  {
    words: /\bhow (?:much|many) (?:time|(?:milli)?seconds|minutes|hours|days|weeks|months|years)\b/i,
    answers: hasTime,
  },
  { words: /\bhow long\b/i, answers: (bag) => hasTime(bag) || (LENGTH.test(bag) && NUMBER.test(bag)) },
  { words: /\bhow (?:soon|quickly|fast|late|old)\b/i, answers: hasTime },
  { words: /\bhow (?:often|frequently)\b/i, answers: (bag) => RATE.test(bag) || hasTime(bag) },
  { words: /\bhow (?:large|big|heavy)\b/i, answers: hasSize },
  { words: /\bhow (?:many|much)\b/i, answers: hasNumber },
];

/**
 * How much a passage counts for a question, by whether it says an amount of what is asked for. So it is for memories and turns, too: those that answer
 * would stand behind docs otherwise.
 */
export function weightByAmount(question: string): (passage: Pick<FoundPassage, 'bodyBag'>) => number {
  const asked = ASKED.find(({ words }) => words.test(question));
  if (asked === undefined) return () => 1;
  return ({ bodyBag }) => (asked.answers(bodyBag) ? WEIGHT : 1);
}

function alternatives(words: string): string {
  return termsOf(words).join('|');
}

/** @param terms a pattern of whole terms of a bag, in which behind a colon stands how often a term is there */
function anyOf(terms: string): RegExp {
  return new RegExp(`(?:^| )(?:${terms})(?![^ :])`);
}
