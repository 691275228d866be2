/** Finds phrases of the table of verbs among the words of a sentence. */
import { VERB_RULES, type VerbRule } from './verbs.ts';
import type { Word } from './words.ts';

/** A phrase of the table, with the rules that have it. */
export interface Phrase {
  readonly words: readonly string[];
  readonly rules: readonly VerbRule[];
}

const PHRASES_BY_FIRST_WORD = indexPhrases();

function indexPhrases(): ReadonlyMap<string, readonly Phrase[]> {
  const byText = new Map<string, VerbRule[]>();
  for (const rule of VERB_RULES) {
    for (const phrase of rule.phrases.split(',')) {
      const text = phrase.trim();
      byText.set(text, [...(byText.get(text) ?? []), rule]);
    }
  }
  const byFirst = new Map<string, Phrase[]>();
  for (const [text, rules] of byText) {
    const words = text.split(' ');
    const [first = ''] = words;
    byFirst.set(first, [...(byFirst.get(first) ?? []), { words, rules }]);
  }
  for (const phrases of byFirst.values()) phrases.sort((a, b) => b.words.length - a.words.length);
  return byFirst;
}

/** The phrases of the table that begin with a lower-case word, longest first. */
export function phrasesFrom(word: string): readonly Phrase[] | undefined {
  return PHRASES_BY_FIRST_WORD.get(word);
}

export interface VerbPlace {
  readonly rules: readonly VerbRule[];
  readonly start: number;
  readonly end: number;
  /** The index of the verb's first word. */
  readonly word: number;
}

/** The longest phrase of the table that begins at a word. */
export function verbAt(words: readonly Word[], index: number): VerbPlace | undefined {
  const first = words[index];
  if (first?.phrases === undefined || first.linked) return undefined;
  for (const { words: wanted, rules } of first.phrases) {
    const last = matchWords(words, index, wanted);
    if (last !== undefined) return { rules, start: first.start, end: last.end, word: index };
  }
  return undefined;
}

function matchWords(words: readonly Word[], from: number, wanted: readonly string[]): Word | undefined {
  let at = from;
  let last = words[from];
  for (let index = 1; index < wanted.length; index += 1) {
    at += 1;
    if (words[at]?.text !== wanted[index] && words[at]?.text.endsWith('ly') === true) at += 1;
    if (words[at]?.text !== wanted[index]) return undefined;
    last = words[at];
  }
  return last;
}
