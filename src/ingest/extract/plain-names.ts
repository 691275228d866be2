/** Names without markup: noun phrases that name something if another document declares it. */
import { type Clause, STOP_WORDS } from './clause.ts';
import { bareName, conceptKeyOf, isName, isQualifier, OBJECT_NOUN } from './names.ts';
import { NOUN_IN_ING } from './noun-forms.ts';
import type { Ref } from './refs.ts';
import type { Word } from './words.ts';

/**
 * A noun phrase without markup: `a list of guild member objects` gives `guild member`. It only counts if such a
 * node exists. If a known name follows within the phrase, that name is meant.
 */
export function plainName(clause: Clause, from: number): Ref | undefined {
  const words = phraseAt(clause, from);
  const [head] = words;
  const tail = words.at(-1);
  if (head === undefined || tail === undefined) return undefined;
  if (followedByName(clause, tail.end) || isPart(clause.text, head.start, tail.end)) return undefined;
  const label = bareName(clause.text.slice(head.start, tail.end));
  if (!isName(label) || label.split(' ').length > 4 || label.length < 3) return undefined;
  return {
    key: conceptKeyOf(label),
    type: 'Concept',
    label,
    start: head.start,
    end: tail.end,
    confidence: 0.1,
    declares: false,
    marked: false,
  };
}

const MAX_PHRASE_WORDS = 5;

/** The words of the noun phrase that begins at `from`; none if a known name stands within it. */
function phraseAt(clause: Clause, from: number): Word[] {
  const { text } = clause;
  const first = clause.words.findIndex(({ start }) => start === from);
  if (first === -1) return [];
  const phrase: Word[] = [];
  for (const word of clause.words.slice(first, first + MAX_PHRASE_WORDS)) {
    const previous = phrase.at(-1);
    if (STOP_WORDS.has(word.text)) break;
    if (previous !== undefined && !isJoinedName(text.slice(previous.end, word.start), word)) break;
    if (isWithinName(clause, word)) return [];
    if (previous !== undefined && endsPhrase(text, word)) break;
    phrase.push(word);
  }
  return phrase;
}

function isWithinName({ refs }: Clause, word: Word): boolean {
  return refs.some(
    ({ marked, part, start, end }) =>
      (marked || part !== undefined) && start <= word.start && word.start < end,
  );
}

/** Whether a word is not part of the name: it says what kind of thing the words before it name, counts them or tells what is done with them. */
function endsPhrase(text: string, word: Word): boolean {
  if (OBJECT_NOUN.test(word.text) || isCounting(text, word)) return true;
  return /(?:ing|ed|(?<!t|ari)able|ible)$/.test(word.text) && !isNounInIng(text, word);
}

/** Whether two words belong to one name: they have a space between them, or a dot as in `Acme .NET Tracing`. */
function isJoinedName(between: string, { capital }: Word): boolean {
  return between === ' ' || (between === ' .' && capital);
}

/** Whether a word in -ing is a noun, as in `the domain pricing`. If it has an object (`a customer booking a room`), it says what is done. */
function isNounInIng(text: string, { text: word, end }: Word): boolean {
  return NOUN_IN_ING.test(word) && !/^\s+(?:an?|the|its|their|this|that)\s/i.test(text.slice(end, end + 8));
}

/** Whether the words modify a name behind them: `the customers' names`, `Widgets.js`, `a "payment failed" email`. */
function isPart(text: string, start: number, end: number): boolean {
  if (/^(?:['’]s?\s|\.\p{L})/u.test(text.slice(end, end + 3))) return true;
  return (
    /["“]/.test(text.charAt(start - 1)) && /^\s[^"”]{1,40}["”]\s+\p{Ll}/u.test(text.slice(end, end + 45))
  );
}

/** Whether a word only counts or qualifies. As the last word of `payment collection` or `phone number` it is what the thing is. */
function isCounting(text: string, { text: word, end }: Word): boolean {
  if (!isQualifier(word)) return false;
  return (
    !/^(?:batch|collection|map|number|page|set)$/.test(word) || /^\s+of\b/i.test(text.slice(end, end + 4))
  );
}

/** Whether a marked name follows, with nothing but qualifiers before it. */
function followedByName({ text, words, refs }: Clause, end: number): boolean {
  let at = end;
  for (const word of words) {
    if (word.start < end) continue;
    if (text.slice(at, word.start).trim() !== '' || STOP_WORDS.has(word.text)) break;
    if (!isQualifier(word.text) && !isLeadIn(text, word)) break;
    at = word.end;
  }
  return refs.some(
    (ref) => ref.marked && ref.start > end && ref.start - at < 3 && text.slice(at, ref.start).trim() === '',
  );
}

/** Nouns with the ending of adverbs. */
const NOUN_IN_LY = /^(?:family|reply|supply|assembly|anomaly|monopoly|ally|butterfly|rally|tally)$/;

/** Whether a word says how or how many, so that the name follows: `belongs to exactly one Customer`. */
export function isLeadIn(text: string, { text: word, start, end }: Word): boolean {
  if (word === 'at') return /^at\s+(?:least|most)\b/i.test(text.slice(start, start + 20));
  if (word === 'than') return /\b(?:more|less|fewer)\s+$/i.test(text.slice(Math.max(0, start - 8), start));
  if (word === 'only') return /^\s+(?:(?:an?|the|one)\b|\p{Lu})/u.test(text.slice(end, end + 6));
  if (!word.endsWith('ly')) return false;
  return !NOUN_IN_LY.test(word) && /^\s+\p{L}/u.test(text.slice(end, end + 4));
}
