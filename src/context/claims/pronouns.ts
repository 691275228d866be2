/** Finds what a pronoun that is the subject of a clause refers to, if the text before it leaves only one choice. */
import { type Mention, type MentionNumber, mentionsIn, sameMention } from './mentions.ts';

/** A pronoun at the start of a main clause: at the beginning of the sentence, or after a comma and the like, or after "and". */
const SUBJECT =
  /(?<=^|[,;:—–]\s+(?:(?:and|but|so|or|yet|then)\s+)?|\s(?:and|but|so|yet)\s+)(?<lead>(?:(?:then|also|now|later|next|afterwards|finally|usually|otherwise|instead|eventually|first|so|thus|therefore|hence|and|but)\b,?\s+)*)(?<word>it|they|he|she|its|their|his|her|this|that|these|those)(?=\s|['’](?:s|ll|d|re|ve)\b)/giu;
/** Pronouns that no rule can resolve. */
const NEVER_RESOLVED =
  /^(?:(?:then|also|so|and|but)\b,?\s+)*(?:which|who|whose|such|both|the (?:former|latter)|(?:each|all|any|none|some|most|many|one|either|neither|half|part) of (?:it|them|these|those|this|that)|it (?:is|was|would be|will be|may be|can be) (?:\p{L}+ly |not |also |very )*\p{L}+ (?:to|that|when|if)|it takes)\b/iu;
const AUXILIARY =
  'is|are|was|were|has|have|had|can|may|might|must|will|would|shall|should|could|do|does|did|cannot|never';
const AUXILIARY_NEXT = new RegExp(`^(?:${AUXILIARY}|(?:\\p{L}+n['’]t))\\b`, 'iu');
const OWNED = new RegExp(`^(?<owned>(?:[\\p{L}\\p{N}_\`.-]+\\s+){1,3}?)(?=(?:${AUXILIARY})\\b)`, 'iu');
const SUBORDINATE =
  /^(?:when|whenever|once|if|after|before|while|as soon as|because|since|until|unless|although|though|where|as)\s+/iu;
const PLURAL = new Set(['they', 'their', 'these', 'those']);
const POSSESSIVE = new Set(['its', 'their', 'his', 'her']);
const POINTING = new Set(['this', 'that', 'these', 'those']);

/** Whether a sentence begins with a pronoun, or a word that introduces one, and so says nothing by itself. */
export function beginsWithPronoun(sentence: string): boolean {
  return NEVER_RESOLVED.test(sentence) || subjectsOf(sentence).some(({ isFirst }) => isFirst);
}

/**
 * A sentence with the subject of each main clause named. A pronoun counts as resolved if only one of the things named before fits, and that is the
 * subject of the clause or sentence just before.
 * @param before what the sentences before it named, with their own pronouns resolved
 * @returns undefined if a pronoun is in doubt
 */
export function withSubjects(sentence: string, before = new NamedBefore()): string | undefined {
  if (NEVER_RESOLVED.test(sentence)) return undefined;
  let named = '';
  let end = 0;
  for (const subject of subjectsOf(sentence)) {
    const earlier = named + sentence.slice(end, subject.start);
    const rest = sentence.slice(subject.end).trimStart();
    const context = subject.isFirst ? before : new NamedBefore(earlier);
    const resolved = resolve(subject, rest, context, earlier.trim() === '');
    if (resolved === undefined) return undefined;
    named = earlier + resolved.text;
    end = sentence.length - rest.length + resolved.taken;
  }
  if (end === 0) return sentence;
  const whole = named + sentence.slice(end);
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** What the sentences of a passage have named so far, each thing once. So each sentence is analysed only once. */
export class NamedBefore {
  readonly #all = new Map<string, Mention>();
  #leading: Mention | undefined;

  constructor(...sentences: readonly string[]) {
    for (const sentence of sentences) this.add(sentence);
  }

  add(sentence: string): void {
    const mentions = mentionsIn(sentence.replace(SUBORDINATE, ''));
    this.#leading = mentions[0];
    for (const one of mentions) this.#all.set(`${one.number} ${one.text}`, one);
  }

  /** The subject of the last sentence, if none of the sentences names anything else of this number. */
  onlyOne(number: MentionNumber): Mention | undefined {
    const leading = this.#leading;
    if (leading === undefined || !leading.isSubject || leading.number !== number) return undefined;
    for (const one of this.#all.values()) {
      if ((one.number === number || one.number === 'unknown') && !sameMention(one, leading)) return undefined;
    }
    return leading;
  }
}

interface Subject {
  readonly word: string;
  readonly isFirst: boolean;
  readonly start: number;
  readonly end: number;
}

function subjectsOf(sentence: string): Subject[] {
  return Array.from(sentence.matchAll(SUBJECT), ({ 0: found, index, groups }): Subject => {
    const word = (groups?.['word'] ?? '').toLowerCase();
    const start = index + (groups?.['lead'] ?? '').length;
    return { word, isFirst: index === 0, start, end: index + found.length };
  }).filter(({ word, isFirst, start, end }) => {
    if (isFirst) return true;
    const rest = sentence.slice(end).trimStart();
    // In other places it is mostly a conjunction, or belongs to a noun.
    if (POINTING.has(word)) return AUXILIARY_NEXT.test(rest);
    return !POSSESSIVE.has(word) || (OWNED.test(rest) && isClause(sentence.slice(0, start)));
  });
}

/** "Charges and their refunds are free" is one clause, since "Charges" alone is none. */
function isClause(text: string): boolean {
  const mentions = mentionsIn(text.replace(SUBORDINATE, ''));
  return mentions.length > 1 || mentions[0]?.isSubject === true;
}

/** @returns the text to put in its place, with a space at the end, and how many characters of the rest it replaces */
function resolve(
  { word }: Subject,
  rest: string,
  before: NamedBefore,
  isAtStart: boolean,
): { readonly text: string; readonly taken: number } | undefined {
  if (/^['’]/.test(rest)) return undefined;
  const number: MentionNumber = PLURAL.has(word) ? 'plural' : 'singular';
  const mention = before.onlyOne(number);
  if (mention === undefined) return undefined;
  const name = isAtStart ? mention.text : lowerFirst(mention);
  if (POINTING.has(word)) {
    const noun = /^[\p{L}\p{N}_-]+/u.exec(rest)?.[0] ?? '';
    const isNoun = !AUXILIARY_NEXT.test(rest) && noun.toLowerCase() === mention.head;
    return isNoun ? { text: `${name} `, taken: noun.length + 1 } : undefined;
  }
  if (!POSSESSIVE.has(word)) return { text: `${name} `, taken: 0 };
  const owned = OWNED.exec(rest)?.groups?.['owned'];
  if (owned === undefined) return undefined;
  return { text: `the ${owned.trim()} of ${lowerFirst(mention)} `, taken: owned.length };
}

/** Only articles and plain plurals have a capital merely because they begin the sentence. */
function lowerFirst({ text, number }: Mention): string {
  const isPlain = number === 'plural' || /^(?:an?|the|each|every|any|one|another|your|our)\s/i.test(text);
  return isPlain && /^\p{Lu}\p{Ll}*(?:\s|$)|^A\s/u.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}
