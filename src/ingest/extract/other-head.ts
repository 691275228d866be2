/** Names that only say of which kind the noun behind them is: `Acme applications`, `the Ledger deployment pattern`. */
import { type Clause, STOP_WORDS, type Subject } from './clause.ts';
import { OBJECT_NOUN } from './names.ts';
import { KIND_OF_PART } from './part-counts.ts';
import type { VerbPlace } from './verb-phrases.ts';

/** Nouns behind a name that stand for what it names. */
const KIND = new RegExp(
  `^(?:${KIND_OF_PART}|instances?|nodes?|replicas?|events?|ids?|webhooks?|types?|class(?:es)?|apps?|application|system|platform|library|plugin|tool|engine|api|sdk|cli|itself|themselves)$`,
  'i',
);

const HELPER =
  /^(?:can|may|might|could|must|should|will|would|shall|do|does|did|is|are|was|were|be|been|being|get|gets|has|have|had|also|then|now|only|always|often|both|each|all)$/;

/** Whether another noun stands between the name that was read as a subject and the verb. */
export function isOfAnotherHead({ text, words }: Clause, verb: VerbPlace, subject: Subject): boolean {
  const ref = subject.kind === 'named' ? subject.refs.at(-1) : undefined;
  if (ref === undefined || ref.marked) return false;
  const between = words.filter(({ start, end }) => start >= ref.end && end <= verb.start);
  while (HELPER.test(between.at(-1)?.text ?? '') || between.at(-1)?.text.endsWith('ly') === true)
    between.pop();
  const head = between.at(-1);
  if (head === undefined || between.length > 3 || KIND.test(head.text) || OBJECT_NOUN.test(head.text))
    return false;
  if (text.slice(ref.end, head.end).trim().split(' ').length !== between.length) return false;
  return between.every(
    ({ text: word, capital, start, end }) =>
      !capital &&
      !STOP_WORDS.has(word) &&
      !/(?:ed|ing|ly)$/.test(word) &&
      /^[\p{L}-]+$/u.test(text.slice(start, end)),
  );
}
