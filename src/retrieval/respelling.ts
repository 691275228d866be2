import { compareTexts } from '../text/compare-texts.ts';
import { nearest } from '../text/near.ts';
import { stemOf } from '../words/tokens.ts';
import type { Respelling } from './concepts.ts';
import type { Corpus } from './corpus.ts';

/** The words of a corpus. */
type Words = Pick<Corpus, 'frequency' | 'termsWith'>;

/** The weight of terms that begin with a word. */
const BEGINNING = 0.7;
/** The weight of a term whose word differs by one letter, and of one that is only spelt nearly the same. */
const ONE_MISTAKE = 0.9;
const NEARLY = 0.8;
/** The weight of each of two terms that a word consists of. */
const PART_WEIGHT = 0.6;
const MIN_PART_LENGTH = 3;
const MIN_LENGTH = 4;
/** A shorter word is one letter away from too many others: it stands for one only if that is the only one. */
const MIN_LENGTH_TO_CHOOSE = 5;
/** In a shorter word the first letter is taken as right. */
const MIN_LENGTH_FOR_FIRST_LETTER = 6;
const MAX_BEGINNING_WITH = 8;
/** Of more mistakes, only terms with the same first letters are looked at, the most frequent of them. */
const SURE_LETTERS = 2;
const MAX_LOOKED_AT = 2_000;
/** Endings that stemming removes. It does not if the word is misspelt before the ending. */
const ENDINGS = [
  '',
  's',
  'es',
  'ed',
  'd',
  'ing',
  'ion',
  'ions',
  'er',
  'ers',
  'ment',
  'ments',
  'ation',
  'ations',
  'able',
  'y',
  'e',
];

/**
 * What words that no passage contains may stand for: longer words that begin with them, else one that differs by a letter, else one that is spelt nearly
 * the same, else two that are written together, such as `syncwindow`.
 * @param isWord whether a word is in the dictionary, so that it is not a mistake
 */
export function respellingIn(corpora: readonly Words[], isWord: (word: string) => boolean): Respelling {
  return (word, term) => {
    const beginning = corpora.flatMap((corpus) => corpus.termsWith(term, MAX_BEGINNING_WITH));
    if (term.length >= 3 && beginning.length > 0)
      return new Map(beginning.map((found) => [found.term, BEGINNING]));
    if (word.length < MIN_LENGTH || /\d/.test(word) || isWord(word)) return new Map();
    const meant = meantBy(word, corpora);
    if (meant !== undefined) return new Map([[meant, ONE_MISTAKE]]);
    const terms = new Set(
      corpora.flatMap((corpus) =>
        corpus.termsWith(word.slice(0, SURE_LETTERS), MAX_LOOKED_AT).map((found) => found.term),
      ),
    );
    for (const ending of ENDINGS) {
      if (!word.endsWith(ending) || word.length - ending.length < MIN_LENGTH) continue;
      const found = nearest(word.slice(0, word.length - ending.length), terms);
      if (found !== undefined) return new Map([[found, NEARLY]]);
    }
    return new Map(partsOf(word, corpora).map((part) => [part, PART_WEIGHT]));
  };
}

/** Only words in plain letters are looked at, and none that is longer than what people type. */
const MISTYPED = /^[a-z]{1,24}$/;

/** The most frequent term of a word with one letter less, more, other or in the place of its neighbour; undefined if there is none. */
function meantBy(word: string, corpora: readonly Words[]): string | undefined {
  if (!MISTYPED.test(word)) return undefined;
  const terms = new Set(Array.from(withOneMistake(word), stemOf));
  const found = [...terms]
    .map((term) => ({ term, frequency: frequencyIn(corpora, term) }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => b.frequency - a.frequency || compareTexts(a.term, b.term));
  return found.length > 1 && word.length < MIN_LENGTH_TO_CHOOSE ? undefined : found[0]?.term;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * The words of which a word may be a misspelling with one mistake, as in https://norvig.com/spell-correct.html. Whole words are made, and not terms, since
 * stemming goes astray where a word is misspelt: `liter` of `literal`, but `liteer` of `liteeral`.
 */
function* withOneMistake(word: string): Generator<string> {
  for (let at = word.length < MIN_LENGTH_FOR_FIRST_LETTER ? 1 : 0; at <= word.length; at += 1) {
    const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
    for (const other of LETTERS) yield `${before}${other}${letter}${after}`;
    if (letter === '') return;
    yield `${before}${after}`;
    yield `${before}${after.slice(0, 1)}${letter}${after.slice(1)}`;
    for (const other of LETTERS) yield `${before}${other}${after}`;
  }
}

function frequencyIn(corpora: readonly Words[], term: string): number {
  return corpora.reduce((sum, corpus) => sum + corpus.frequency(term), 0);
}

/** The two terms that a word consists of, those in most passages; empty if it does not. */
function partsOf(word: string, corpora: readonly Words[]): readonly string[] {
  let best: { readonly parts: readonly string[]; readonly value: number } = { parts: [], value: 0 };
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at += 1) {
    const parts = [stemOf(word.slice(0, at)), stemOf(word.slice(at))];
    const value = Math.min(...parts.map((part) => frequencyIn(corpora, part)));
    if (value > best.value) best = { parts, value };
  }
  return best.parts;
}
