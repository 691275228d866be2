/** Names that only modify the noun behind them: `Acme applications`, `the Ledger deployment pattern`. */
import { type Clause, STOP_WORDS, type Subject } from './clause.ts';
import { OBJECT_NOUN } from './names.ts';
import { KIND_OF_PART } from './part-counts.ts';
import type { Ref } from './refs.ts';
import type { VerbPlace } from './verb-phrases.ts';
import type { Word } from './words.ts';

/** Nouns behind a name that stand for the thing itself. */
const KIND = new RegExp(
  `^(?:${KIND_OF_PART}|instances?|nodes?|replicas?|events?|ids?|webhooks?|types?|class(?:es)?|apps?|application|system|platform|library|plugin|tool|engine|api|sdk|cli|itself|themselves)$`,
  'i',
);

const HELPER =
  /^(?:can|may|might|could|must|should|will|would|shall|do|does|did|is|are|was|were|be|been|being|get|gets|has|have|had|also|then|now|only|always|often|both|each|all|that|which|who)$/;

/** Whether a plural noun behind the name acts: in `Fleet administrators can choose which loaders can create trays` it is not the fleet that creates them. */
function isPluralWhichActs(text: string, end: number): boolean {
  const noun =
    /^ (\p{Ll}+[^s\P{Ll}]s) (?:can|may|might|could|must|should|will|would|do|are|were|have)\b/u.exec(
      text.slice(end, end + 50),
    )?.[1];
  return noun !== undefined && !KIND.test(noun) && !OBJECT_NOUN.test(noun);
}

/** Whether the name modifies a noun that acts: in `A Fleet workflow holds a tray and comprises …` one workflow of the Fleet does, however far away the verb is. */
function isOneOf(text: string, words: readonly Word[], { start, end }: Ref): boolean {
  if (!/\b(?:an?|each|every)\s+$/i.test(text.slice(Math.max(0, start - 8), start))) return false;
  const next = words.find((word) => word.start === end + 1);
  if (next === undefined || text.charAt(end) !== ' ' || next.capital || next.phrases !== undefined)
    return false;
  return (
    !STOP_WORDS.has(next.text) &&
    !HELPER.test(next.text) &&
    !KIND.test(next.text) &&
    !OBJECT_NOUN.test(next.text) &&
    /^\p{Ll}{3,}$/u.test(next.text) &&
    !/(?:s|ed|ing|ly)$/.test(next.text)
  );
}

/** What goes on about a name: a phrase of it, or what it is (`A Kiln is an oven that …`). A verb there is not one of another noun. */
const GOES_ON =
  /^\W*(?:objects?\s+)?(?:in|of|on|for|with|without|from|within|under|at|by|via|through|to|and|or|into|per|as|than|like|including|that|which|who|is|are|was|were|be|being|remains?|becomes?|serves?\s+as|represents?|describes?|means?|acts?)\b|^,[^,;]*,\s+(?:is|are|was|were)\b|^\W*$|^[^\p{L}]*[:—–-]/iu;

/** A noun and the "that" or "which" before a verb. */
const NOUN_THAT =
  /[\p{L}\p{N}-]["'”’*]?\s+(?:that|which|who)\s+(?:(?:is|are|was|were|can|may|will|must|has|have|be|been|\w+ly)\s+)*$/iu;

/** A form of "be" before a participle, which makes it the verb of the sentence. */
const HELPED = /\s(?:is|are|was|were|be|been|being|gets?|and|or)\s+(?:\w+ly\s+)?$/i;

/** A noun with its article, directly before a participle. */
const NOUN_WITH_ARTICLE =
  /\s(?:an?|the|any|all|each|every|some|these|those|its|their|your|our)\s+[\p{L}\p{N}_-]+(?:\s+[\p{L}\p{N}_-]+){0,4}\s+$/iu;

/**
 * Whether the verb is told of a noun behind the name, with a verb between the two: `The Kiln shows a note to the shop which consists of …`, `The Kiln clears
 * the shelf and the racks created by …`.
 */
function isOfNounBehind({ text, words }: Clause, { word, start }: VerbPlace, end: number): boolean {
  const between = text.slice(end, start);
  if (GOES_ON.test(between)) return false;
  const isParticiple = /ed$|^(?:bound|built|made|sent)$/.test(words[word]?.text ?? '');
  return (
    NOUN_THAT.test(between) || (isParticiple && !HELPED.test(between) && NOUN_WITH_ARTICLE.test(between))
  );
}

/** Whether another noun stands between the name that was read as a subject and the verb. */
export function isOfAnotherHead(clause: Clause, verb: VerbPlace, subject: Subject): boolean {
  const { text, words } = clause;
  const ref = subject.kind === 'named' ? subject.refs.at(-1) : undefined;
  if (ref === undefined) return false;
  if (isOfNounBehind(clause, verb, ref.end)) return true;
  if (ref.marked) return false;
  const between = words.filter(({ start, end }) => start >= ref.end && end <= verb.start);
  if (isPluralWhichActs(text, ref.end) || isOneOf(text, words, ref)) return true;
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
