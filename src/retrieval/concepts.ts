import { LRUCache } from 'lru-cache';
import { expressionsIn } from '../words/expressions.ts';
import { type Identifier, identifierOf, identifiersIn, inOneWord } from '../words/identifiers.ts';
import { pronounsIn } from '../words/pronouns.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import type { Thesaurus } from '../words/thesaurus.ts';
import { namesIn, stemOf, termsOf, type WholeName, wordsOf } from '../words/tokens.ts';
import { baseOf, formsOf } from '../words/word-forms.ts';
import { rarity } from './relevance.ts';

/** One thing that a question asks about: its own term, and terms that mean nearly the same, each with a weight. */
export interface Concept {
  /** The word as asked, in lower case. */
  readonly word: string;
  readonly term: string;
  /** The term itself has the weight 1; others have less. */
  readonly weights: ReadonlyMap<string, number>;
}

interface GrowingConcept extends Concept {
  readonly weights: Map<string, number>;
}

export interface Vocabulary {
  /** The number of passages. */
  count(): number;
  /** In how many of them a term occurs. */
  frequency(term: string): number;
}

/** Terms that a word which no passage contains may stand for; empty if there are none. */
export type Respelling = (word: string, term: string) => ReadonlyMap<string, number>;

/** The weight of a word of the thesaurus that means exactly the same; measured in docs/evaluation.md. */
const RELATED_WEIGHT = 0.5;
const MIN_WEIGHT = 0.05;
/** The factor for an expression of several words of which one occurs: it is less sure that it was meant. */
const PART_OF_EXPRESSION = 0.4;
/** A related term that occurs in a larger share of all passages means nothing, and takes long. */
const MAX_RELATED_SHARE = 0.03;
const MAX_RELATED = 12;
/** The weight of the name that fits an everyday expression best. Each further one has less. Measured, as in docs/decisions.md. */
const NAME_WEIGHT = 0.8;
const NEXT_NAME = 0.85;
const PART_OF_NAME = 0.6;
/** That something works is not a part of what it is. */
const HOW_IT_WORKS = /^(\s*how (?:do|does|did|is|are)\b.*\S)\s+work(?:s|ing)?\W*$/is;
/** Written like names, but without a meaning. */
const ABBREVIATION = /\b(?:e\.\s?g|i\.\s?e|etc)\b\.?/gi;
/** The weight of two words of the question that docs write as one: `login`, `applicationset`. */
const AS_ONE_WORD = 0.8;
/**
 * The weight of an identifier of code in addition to its words, if the docs contain it: it is what the question is about, while its words may occur
 * anywhere.
 */
const CODE_WEIGHT = 3;
/** The same for a word followed by a number, or a word that ends with one: it is rarer than the number alone, and less sure to be meant. */
const NUMBERED = 2;
/** Shorter combinations are too often another word. */
const MIN_ONE_WORD_LENGTH = 5;
/** Text with more concepts is not a question: the first ones are used. */
const MAX_CONCEPTS = 32;

/** The concepts of a question in order, each once. */
export function conceptsOf(
  question: string,
  vocabulary: Vocabulary,
  thesaurus: Thesaurus | undefined,
  respelling: Respelling,
): Concept[] {
  const concepts = new Map<string, GrowingConcept>();
  const asked = question.replace(HOW_IT_WORKS, '$1').replace(ABBREVIATION, ' ');
  const words = wordsOf(asked);
  const passedOver = pronounsBeside(words, question);
  for (const [index, word] of words.entries()) {
    if (STOP_WORDS.has(word) || passedOver.has(word) || isDenial(words, index) || asksAmount(words, index))
      continue;
    const term = stemOf(word);
    if (concepts.has(term) || concepts.size >= MAX_CONCEPTS) continue;
    concepts.set(term, {
      word,
      term,
      weights: weightsAt(words, index, { vocabulary, thesaurus, respelling }),
    });
  }
  const names = namesIn(question);
  const identifiers = [...identifiersIn(asked), ...names.filter(({ isCode }) => isCode)];
  addIdentifiers(concepts, identifiers, vocabulary);
  addWholeNames(concepts, names, vocabulary);
  if (thesaurus !== undefined) addNames(concepts, words, vocabulary);
  return [...concepts.values()];
}

interface Meanings {
  readonly vocabulary: Vocabulary;
  readonly thesaurus: Thesaurus | undefined;
  readonly respelling: Respelling;
}

/** The terms that a word of the question may stand for. */
function weightsAt(
  words: readonly string[],
  index: number,
  { vocabulary, thesaurus, respelling }: Meanings,
): Map<string, number> {
  const word = words[index] ?? '';
  const term = stemOf(word);
  const weights = new Map([[term, 1]]);
  addForms(weights, word, vocabulary);
  for (const form of new Set([word, baseOf(word)])) addRelated(weights, form, vocabulary, thesaurus);
  if (weights.size === 1 && vocabulary.frequency(term) === 0) {
    for (const [other, weight] of respelling(word, term)) weights.set(other, weight);
  }
  for (const both of asOneWord(words, index)) {
    if (!weights.has(both) && vocabulary.frequency(both) > 0) weights.set(both, AS_ONE_WORD);
  }
  const asIdentifier = withNumber(words[index - 1] ?? '', word);
  if (asIdentifier !== undefined && vocabulary.frequency(asIdentifier) > 0)
    weights.set(asIdentifier, NUMBERED);
  return weights;
}

/** Adds each identifier that the docs contain, in either spelling, as a concept of its own. */
function addIdentifiers(
  concepts: Map<string, GrowingConcept>,
  identifiers: readonly Pick<Identifier, 'term' | 'isCode'>[],
  vocabulary: Vocabulary,
): void {
  for (const { term, isCode } of identifiers) {
    const spellings = [...new Set([term, stemOf(inOneWord(term))])].filter(
      (spelling) => vocabulary.frequency(spelling) > 0,
    );
    if (concepts.has(term) || spellings.length === 0 || concepts.size >= MAX_CONCEPTS) continue;
    const weight = isCode ? CODE_WEIGHT : 1;
    concepts.set(term, {
      word: term,
      term,
      weights: new Map(spellings.map((spelling) => [spelling, weight])),
    });
  }
}

/** Adds a name to one of its parts only: otherwise it would count as often as it has parts. */
function addWholeNames(
  concepts: ReadonlyMap<string, GrowingConcept>,
  names: readonly WholeName[],
  vocabulary: Vocabulary,
): void {
  for (const { term, parts } of names) {
    if (vocabulary.frequency(term) === 0) continue;
    const part = parts.find((part) => concepts.has(stemOf(part)));
    if (part !== undefined) concepts.get(stemOf(part))?.weights.set(term, 1);
  }
}

/** Pronouns of a question that also contains something else to look for. */
function pronounsBeside(words: readonly string[], question: string): ReadonlySet<string> {
  const pronouns = pronounsIn(question);
  return words.some((word) => !STOP_WORDS.has(word) && !pronouns.has(word)) ? pronouns : new Set();
}

/** Whether a word is the verb of "don't" or "wasn't". */
function isDenial(words: readonly string[], index: number): boolean {
  return words[index + 1] === 't' && words[index]?.endsWith('n') === true;
}

/** Whether a word only says that an amount is asked for, as in "how many uploads": the answer has the amount instead. */
function asksAmount(words: readonly string[], index: number): boolean {
  return words[index - 1] === 'how' && /^(?:many|much)$/.test(words[index] ?? '');
}

/** Adds the forms of a word. They are the word itself, so none is more telling than all together: each counts as if it were as frequent as they are. */
function addForms(weights: Map<string, number>, word: string, vocabulary: Vocabulary): void {
  const own = stemOf(word);
  const terms = [...new Set(formsOf(word).map(stemOf))].filter(
    (term) => term !== own && vocabulary.frequency(term) > 0,
  );
  const frequencies = [own, ...terms].map((term) => vocabulary.frequency(term));
  const total = vocabulary.count();
  const least = rarity(Math.max(...frequencies), total);
  for (const term of terms) weights.set(term, Math.min(1, least / rarity(vocabulary.frequency(term), total)));
}

/** Adds the terms that documentation uses for an everyday expression to each of its words, since any of them may stand for the whole. */
function addNames(
  concepts: ReadonlyMap<string, GrowingConcept>,
  words: readonly string[],
  vocabulary: Vocabulary,
): void {
  for (const { places, names, certainty } of expressionsIn(words)) {
    const ofNames = weightsOfNames(names, certainty, vocabulary);
    for (const place of places) {
      const weights = concepts.get(stemOf(words[place] ?? ''))?.weights;
      if (weights === undefined) continue;
      for (const [term, weight] of ofNames) if (weight > (weights.get(term) ?? 0)) weights.set(term, weight);
    }
  }
}

function weightsOfNames(
  names: readonly string[],
  certainty: number,
  vocabulary: Vocabulary,
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [rank, name] of names.entries()) {
    const terms = termsOf(name);
    const weight = certainty * NAME_WEIGHT * NEXT_NAME ** rank * (terms.length > 1 ? PART_OF_NAME : 1);
    for (const term of terms) {
      if (vocabulary.frequency(term) > 0 && weight > (weights.get(term) ?? 0)) weights.set(term, weight);
    }
  }
  return weights;
}

/** Terms that join a word and a neighbour: "log in", "built-in" and "ApplicationSet" are two words each. */
function asOneWord(words: readonly string[], index: number): string[] {
  const before = words[index - 1] ?? '';
  const word = words[index] ?? '';
  const pairs: (readonly [string, string])[] = [[word, words[index + 1] ?? '']];
  // A word such as "my" begins no other word, while one such as "in" ends many.
  if (!STOP_WORDS.has(before)) pairs.push([before, word]);
  return pairs.flatMap(([first, second]) => {
    const both = first + second;
    const isWord = /^[a-z]+$/.test(both) && both.length >= MIN_ONE_WORD_LENGTH;
    return isWord && second.length > 1 ? [stemOf(both)] : [];
  });
}

/** Identifiers such as `adr 7` and `sha256`: two words of which the second is a number, or one word with a number at its end. */
function withNumber(before: string, word: string): string | undefined {
  if (/^\d+$/.test(word)) return /^[a-z]+$/.test(before) ? identifierOf([before, word]) : undefined;
  const [, letters, number] = /^([a-z]{2,})(\d+)$/.exec(word) ?? [];
  return letters === undefined || number === undefined ? undefined : identifierOf([letters, number]);
}

function addRelated(
  weights: Map<string, number>,
  word: string,
  vocabulary: Vocabulary,
  thesaurus: Thesaurus | undefined,
): void {
  if (thesaurus === undefined) return;
  const maxFrequency = Math.max(1, vocabulary.count() * MAX_RELATED_SHARE);
  for (const [related, weight] of relatedTerms(word, thesaurus)) {
    if (weights.size > MAX_RELATED) break;
    if (weights.has(related)) continue;
    const frequency = vocabulary.frequency(related);
    if (frequency > 0 && frequency <= maxFrequency) weights.set(related, weight);
  }
}

type RelatedTerms = readonly (readonly [term: string, weight: number])[];

const MAX_REMEMBERED = 2_000;
const remembered = new WeakMap<Thesaurus, LRUCache<string, RelatedTerms>>();

/** Terms by how near they are, nearest first. Cached, since making terms of what a thesaurus says takes longer than asking it. */
function relatedTerms(word: string, thesaurus: Thesaurus): RelatedTerms {
  let known = remembered.get(thesaurus);
  if (known === undefined) {
    known = new LRUCache({ max: MAX_REMEMBERED });
    remembered.set(thesaurus, known);
  }
  let terms = known.get(word);
  if (terms === undefined) {
    terms = termsNear(word, thesaurus);
    known.set(word, terms);
  }
  return terms;
}

function termsNear(word: string, thesaurus: Thesaurus): RelatedTerms {
  const weights = new Map<string, number>();
  for (const [expression, nearness] of thesaurus.related(word)) {
    const terms = termsOf(expression);
    const weight = nearness * RELATED_WEIGHT * (terms.length > 1 ? PART_OF_EXPRESSION : 1);
    if (weight < MIN_WEIGHT) continue;
    for (const term of terms) {
      // The "e" of "e-mail" occurs in each "e.g.".
      if (term.length > 1 && weight > (weights.get(term) ?? 0)) weights.set(term, weight);
    }
  }
  return [...weights].sort(([a, weightA], [b, weightB]) => weightB - weightA || (a < b ? -1 : 1));
}
