import type { FoundPassage } from '../store/passages.ts';
import { termsOf } from '../words/tokens.ts';

/**
 * A question how long, how often, how large or how many is answered by a number with a unit, which the question itself does not contain. So passages
 * with one get this weight. Measured, as in docs/decisions.md.
 */
const WEIGHT = 1.4;

/** Whether a passage may answer, judging by the bag of its terms. */
type Answers = (bag: string) => boolean;

const TIMES = 'millisecond second minute hour day night week month quarter year';
const RATES = 'every per once twice interval hourly daily nightly weekly monthly yearly';
const SIZES = 'byte kilobyte megabyte gigabyte pixel';
/** Units that are written after a number without a space. */
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

/** What is asked for. The first of these that a question contains counts. */
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
 * The weight of a passage for a question, by whether it contains an amount of the kind that is asked for. It also applies to memories and turns:
 * those that answer would otherwise come after docs.
 */
export function weightByAmount(question: string): (passage: Pick<FoundPassage, 'bodyBag'>) => number {
  const asked = ASKED.find(({ words }) => words.test(question));
  if (asked === undefined) return () => 1;
  return ({ bodyBag }) => (asked.answers(bodyBag) ? WEIGHT : 1);
}

function alternatives(words: string): string {
  return termsOf(words).join('|');
}

/** @param terms a pattern of whole terms in a bag, where a colon and the number of occurrences follow each term */
function anyOf(terms: string): RegExp {
  return new RegExp(`(?:^| )(?:${terms})(?![^ :])`);
}
