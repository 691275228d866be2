/**
 * Whether a verb can belong to its subject, by its form and the words directly before it. A sentence has names in many places;
 * without this check the first of them would be the subject of every verb behind it.
 */
import type { Clause, Subject } from './clause.ts';
import { OBJECT_NOUN } from './names.ts';
import { type VerbPlace, verbAt } from './verb-phrases.ts';
import type { Word } from './words.ts';

/** Words between a subject and its verb that do not change who acts. */
const ADVERBS: ReadonlySet<string> = new Set(
  'also then only always often typically both each all itself themselves now either currently'.split(' '),
);
const MODALS: ReadonlySet<string> = new Set(
  'can could may might must should will would shall do does did to'.split(' '),
);
const FORMS_OF_BE: ReadonlySet<string> = new Set(
  'is are was were be been being gets get has have had becomes become remains'.split(' '),
);
/** Nouns that are plural by meaning. */
const PLURALS: ReadonlySet<string> = new Set(
  'they these those who that which people children data media criteria staff'.split(' '),
);
/** Words for the readers of a text, who are none of the things that it describes. */
const READERS: ReadonlySet<string> = new Set('you we i he she someone somebody anyone everyone'.split(' '));
const CONJUNCTIONS: ReadonlySet<string> = new Set('and or but'.split(' '));

/** What stands before a verb and the adverbs in front of it. */
interface Before {
  readonly word: Word | undefined;
  /** Whether punctuation separates it from the verb. */
  readonly isParted: boolean;
}

/** Whether the subject of a verb is the reader: `when you need a Customer`, `if you're creating one`. */
export function isReader(clause: Clause, verb: VerbPlace): boolean {
  const { word, isParted } = wordBefore(clause, verb, { pastHelpers: true });
  return word !== undefined && !isParted && READERS.has(word.text.replace(/['’].*$/, ''));
}

/** Whether the verb's subject is a question word, and no name before it: `you control what triggers Builds`, `to see who can create Builds`. */
export function isAsked({ text }: Clause, { start }: VerbPlace): boolean {
  return ASKED.test(text.slice(Math.max(0, start - 60), start));
}

const ASKED =
  /(?:\bwhat(?:ever)?|\b(?:on|about|and|or|check|choose|control|decide|define|determine|find|identify|know|learn|limit|manage|restrict|see|set|show|specify|tell|track)s?\s+who)\s+(?:(?:can|could|may|might|must|should|will|would|is|are|was|also|\w+ly)\s+)*$/i;

/** Words that with an s at the end are as often nouns as verbs. */
const NOUN_OR_VERB = /^(?:issues|needs|uses|calls|causes|references|triggers)$/;

/** Whether the word is no verb: `the needs of each site`, `the parent's own charges`, `the payer's issuing bank`, `narrow down issues by type`. */
export function isNoun({ text, words }: Clause, { word, start, end }: VerbPlace): boolean {
  const before = words[word - 1];
  if (before === undefined) return false;
  if (/^(?:an?|the|your|their|its|our|my|these|those|each|every|no)$/.test(before.text)) return true;
  const form = words[word]?.text ?? '';
  if (words[word]?.capital === true && isInside(text.slice(before.start, start)) && !form.endsWith('ed'))
    return true;
  const isOwned =
    /^['’]s?\s+$/.test(text.slice(before.end, start)) && !/^(?:it|that|who|what)$/.test(before.text);
  if (isOwned && !/ed$|^(?:built|sent|bound)$/.test(form)) return true;
  if (
    form === 'queries' &&
    !/^\s+(?:an?|the|each|every|all|its|their|\p{Lu})/u.test(text.slice(end, end + 10))
  )
    return true;
  if (form === 'groups' && /^\s+of\b/i.test(text.slice(end, end + 5))) return true;
  return NOUN_OR_VERB.test(form) && /^\s+(?:by|with|of|about|are|is)\b/i.test(text.slice(end, end + 8));
}

/**
 * Whether a place is within a sentence, where a capital makes a verb part of a name: `Crates, trays and Trigger beacons`. A verb that begins a clause may
 * follow a label or a line.
 */
function isInside(before: string): boolean {
  return /^\p{L}[\p{L}\p{N}'’-]*(?:,)? $/u.test(before) && /^(?:\p{Lu}|and\s|or\s)/u.test(before);
}

/** Whether a verb in this form can belong to the subject that was read for it. */
export function canBeDone(clause: Clause, verb: VerbPlace, subject: Subject): boolean {
  const first = clause.words[verb.word]?.text ?? '';
  const phrase = clause.text.slice(verb.start, verb.end);
  if (/\b(?:is|are|be)\b|^(?:must|cannot)\b/i.test(phrase)) return true;
  if (first.endsWith('ing')) return isDoing(clause, verb);
  if (/ed$|^(?:built|sent|bound)$/.test(first) && first !== 'need') return isDoneTo(clause, verb, subject);
  return /[^s]s(?:_|$)/.test(first) || isPlain(clause, verb, subject);
}

/**
 * Whether a verb in its base form belongs to its subject: `Charges create Invoices` and `it can create one`, but not `the role create access` or
 * `go to **Users**, create one`.
 */
function isPlain(clause: Clause, verb: VerbPlace, subject: Subject): boolean {
  const { word, isParted } = wordBefore(clause, verb);
  if (word === undefined) return true;
  if (isGrant(clause, verb)) return false;
  if (isParted || CONJUNCTIONS.has(word.text))
    return subject.kind !== 'named' || opensInPlural(clause, subject);
  if (standsForOthers(clause, word, subject)) return false;
  if (MODALS.has(word.text) || PLURALS.has(word.text) || isPlural(word.text)) return true;
  return (
    isJoined(clause, word, subject) || (isInPhrase(clause, verb, subject) && opensInPlural(clause, subject))
  );
}

/**
 * Whether "which" stands for several plain things of another clause than the name: `if the Kiln is shut, and it holds pots which belong to …`, but not `Kilns, or
 * ovens, are things which belong to …`.
 */
function standsForOthers(
  { text, words, refs }: Clause,
  { text: word, start }: Word,
  subject: Subject,
): boolean {
  const head = subject.kind === 'named' ? subject.refs.at(-1) : undefined;
  if (head === undefined || !/^(?:that|which|who)$/.test(word)) return false;
  const others = words.findLast(({ end }) => end < start);
  if (others === undefined || !isPlural(others.text) || text.slice(others.end, start) !== ' ') return false;
  const between = text.slice(head.end, others.start);
  const isSaidToBe = /(?<!\bthere\s+)\b(?:is|are)\s+(?:[\p{L}-]+\s+){0,3}$/iu.test(between);
  return !isSaidToBe && !refs.some(({ end }) => end === others.end) && /,.*\s\p{L}/u.test(between);
}

/** Whether the verb names a permission: `needs create permission`. */
function isGrant({ text }: Clause, { end }: VerbPlace): boolean {
  return /^\W{0,4}(?:permissions?|access|rights|privileges|scopes?)\b/i.test(text.slice(end, end + 20));
}

/** Words by which a thing does what it is there for: `is responsible for reading rows and sending them to the Store`. */
const IS_THERE_FOR =
  /\b(?<!\b(?:not|longer)\s+)(?:responsible\s+for|in\s+charge\s+of|tasked\s+with|capable\s+of)\s+(?:\w+ing\b[^.;:()]*(?:,|\band)\s+(?:then\s+|for\s+)?)?$/i;

/** Whether a verb in -ing belongs to its subject: `is creating one`, `…, creating one` and `Events triggering one`, but not `when creating one`. */
function isDoing(clause: Clause, verb: VerbPlace): boolean {
  // In `Service Managing (SM) requires …` the capital within a sentence makes it a name.
  if (verb.start > 0 && clause.words[verb.word]?.capital === true) return false;
  if (IS_THERE_FOR.test(clause.text.slice(Math.max(0, verb.start - 200), verb.start))) return true;
  const { word, isParted } = wordBefore(clause, verb);
  if (word === undefined || FORMS_OF_BE.has(word.text)) return true;
  if (isParted) return !/^\W*\w+ing\b/i.test(clause.text);
  return isName(clause, word);
}

/** A list of what the reader does: `so that you can run jobs, create glazes, and …`. */
const READER_DOES =
  /\b(?:you|we)\s+(?:can|could|may|might|must|should|will)\s+(?:\w+ly\s+|also\s+|then\s+)?[a-z]+\b[^,.;:()]*(?:,\s+[a-z]+\b[^,.;:()]*)*,?\s+(?:(?:and|or|then)\s+)?$/;

/** Whether the verb is one of several things that may be done, without saying by whom: `set it while editing a plan, creating a charge, or …`. */
export function isListed({ text }: Clause, { start }: VerbPlace): boolean {
  const before = text.slice(Math.max(0, start - 200), start);
  if (/\b(?:while|when|before|after|without)\s+\w+ing\s+(?:or|and)\s+$/i.test(before)) return true;
  if (/^\w*[^\Ws]\b/.test(text.slice(start)) && READER_DOES.test(before)) return true;
  const list =
    /\b(?:while|when|before|after|without|with)\s+\w+ing\b[^,]*(?:,\s*(?:(?:or|and)\s+)?\w+ing\b[^,]*)*,\s*(?:(?:or|and)\s+)?$/i;
  return list.test(before);
}

/** Whether a participle belongs to its subject: `a Charge created by …`. In `a Charge with fields created by …` the fields are created. */
function isDoneTo(clause: Clause, verb: VerbPlace, subject: Subject): boolean {
  const { word, isParted } = wordBefore(clause, verb);
  if (word !== undefined && !isParted && subject.kind === 'phrase')
    return subject.ref.end >= word.end || IS_DONE.test(clause.text.slice(subject.ref.end, verb.start));
  if (word === undefined || isParted || subject.kind !== 'named') return true;
  if (isToBe(clause, verb)) return false;
  if (FORMS_OF_BE.has(word.text) || MODALS.has(word.text) || CONJUNCTIONS.has(word.text)) return true;
  if (isName(clause, word)) return true;
  if (OBJECT_NOUN.test(word.text) || /^(?:events?|instances?|ids?|webhooks?)$/.test(word.text))
    if (!isFarFrom(clause, word, subject)) return true;
  return isToldOf(clause, verb, subject);
}

/** Whether the noun before the verb is another thing than the names before it: `Changes of Charges are kept, and resources created by …`. */
function isFarFrom({ text }: Clause, word: Word, subject: Subject): boolean {
  const head = subject.kind === 'named' ? subject.refs.at(-1) : undefined;
  return head !== undefined && FINITE.test(text.slice(head.end, word.start));
}

const FINITE =
  /\s(?:is|are|was|were|do|does|did|has|have|can|could|will|would|may|must|should)(?:n['’]t)?\s/i;

/** In `the ending of all files made by …` the files are made; in `the ending of all files is made by …` it is the ending. */
const IS_DONE = /\b(?:is|are|was|were|be|been|being|gets?|becomes?)\b/i;

/** Whether the verb follows "to be", as in `papers to be signed by …`. That only says something of the subject behind `needs to be` or `is to be`. */
function isToBe({ text }: Clause, { start }: VerbPlace): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  return (
    /\bto\s+be\s+(?:\w+ly\s+)?$/i.test(before) &&
    !/\b(?:needs?|ha(?:s|ve)|is|are|was|were|going|expected|supposed|meant|required)\s+to\s+be\s/i.test(
      before,
    )
  );
}

/**
 * Whether a text says what the name is, so that it holds for the name: `A **Subscription** is billing that is tied to …`,
 * `**Subscription** — billing tied to …`.
 */
function isToldOf({ text, words }: Clause, verb: VerbPlace, subject: Subject): boolean {
  const head = subject.kind === 'named' ? subject.refs.at(-1) : undefined;
  if (head === undefined) return false;
  const between = text.slice(head.end, verb.start);
  if (/\b(?:responsible|used|able|meant|designed|intended|made)\s+(?:for|to)\b/i.test(between)) return false;
  if (!/^\s*(?:(?:\w+\s+)?(?:is|are|was|were)\s|[—–:]|-\s)[^,;.]*$/i.test(between)) return false;
  if (/\s(?:where|when|if|because|since|there)\s/i.test(between)) return false;
  return !words.some(
    ({ start }, index) => start >= head.end && index < verb.word && isOfOthers(verbAt(words, index)),
  );
}

/** Whether a verb on the way is one by itself. In `a Label is a set of words attached to …` it only says what the name is. */
function isOfOthers(verb: VerbPlace | undefined): boolean {
  return verb !== undefined && !verb.rules.every(({ code }) => code === 'collects');
}

/** @param pastHelpers whether auxiliaries are skipped as well */
function wordBefore(
  { text, words }: Clause,
  verb: VerbPlace,
  { pastHelpers } = { pastHelpers: false },
): Before {
  let at = verb.word - 1;
  let from = verb.start;
  for (;;) {
    const word = words[at];
    if (word === undefined) return { word: undefined, isParted: false };
    const between = text.slice(word.end, from).replace(/\([^()]*\)/, '');
    if (/[^\s"'”’*]/.test(between)) return { word, isParted: true };
    const isAdverb = word.text.endsWith('ly') || ADVERBS.has(word.text);
    if (!isAdverb && !(pastHelpers && (MODALS.has(word.text) || FORMS_OF_BE.has(word.text))))
      return { word, isParted: false };
    from = word.start;
    at -= 1;
  }
}

function isPlural(word: string): boolean {
  return /[^su]s$/.test(word) && !/(?:sis|this)$/.test(word);
}

/** Whether a word ends a name. */
function isName({ refs }: Clause, word: Word): boolean {
  return refs.some(({ start, end }) => start <= word.start && word.end <= end);
}

/** Whether the names are joined: `a Customer and a Plan require …` */
function isJoined({ text }: Clause, word: Word, subject: Subject): boolean {
  if (subject.kind !== 'named' || subject.refs.length < 2) return false;
  const last = subject.refs.at(-1);
  return last !== undefined && text.slice(last.end, word.end).trim().length <= word.end - word.start;
}

/** Whether the name is part of a longer phrase: `Charges of a Customer require …`, `Charges made with a Plan require …` */
function isInPhrase({ text }: Clause, verb: VerbPlace, subject: Subject): boolean {
  const head = subject.kind === 'named' ? subject.refs.at(-1) : undefined;
  if (head === undefined) return false;
  return /^\s+(?:\p{L}+(?:ed|nt|ade)\s+(?=with|via|in|through|by|from))?(?:in|of|on|for|with|without|from|within|under|at|by|via|through)\s/iu.test(
    text.slice(head.end, verb.start),
  );
}

/** Whether the clause begins with its subject, and that is a plural or several things. */
function opensInPlural({ text }: Clause, subject: Subject): boolean {
  if (subject.kind !== 'named') return false;
  const [head] = subject.refs;
  if (head === undefined) return false;
  const isMany = subject.refs.length > 1 || isPlural(text.slice(head.start, head.end).toLowerCase());
  return (
    isMany &&
    /(?:^|[,:;—–]\s)\W*(?:(?:the|all|both|these|those|most|some|many|your|new)\s+)*$/i.test(
      text.slice(0, head.start),
    )
  );
}
