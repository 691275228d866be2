import { nearest } from '../text/near.ts';
import { stemOf } from '../words/tokens.ts';
import type { Respelling } from './concepts.ts';
import type { Corpus } from './corpus.ts';

/** The weight of terms that begin with a word. */
const BEGINNING = 0.7;
/** The weight of a term that is spelt nearly the same. */
const NEARLY = 0.8;
/** The weight of each of two terms that a word consists of. */
const PART_WEIGHT = 0.6;
const MIN_PART_LENGTH = 3;
const MIN_LENGTH = 4;
const MAX_BEGINNING_WITH = 8;
/** Only terms with the same first letters are looked at, the most frequent of them: hardly anybody mistypes the first ones. */
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
 * What words that no passage contains may stand for: longer words that begin with them, else one that is spelt nearly the same, else two that are
 * written together, such as `syncwindow`.
 * @param isWord whether a word is in the dictionary, so that it is not a mistake
 */
export function respellingIn(corpora: readonly Corpus[], isWord: (word: string) => boolean): Respelling {
  return (word, term) => {
    const beginning = corpora.flatMap((corpus) => corpus.termsWith(term, MAX_BEGINNING_WITH));
    if (term.length >= 3 && beginning.length > 0)
      return new Map(beginning.map((found) => [found.term, BEGINNING]));
    if (word.length < MIN_LENGTH || /\d/.test(word) || isWord(word)) return new Map();
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

/** The two terms that a word consists of, those in most passages; empty if it does not. */
function partsOf(word: string, corpora: readonly Corpus[]): readonly string[] {
  const frequency = (term: string) => corpora.reduce((sum, corpus) => sum + corpus.frequency(term), 0);
  let best: { readonly parts: readonly string[]; readonly value: number } = { parts: [], value: 0 };
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at += 1) {
    const parts = [stemOf(word.slice(0, at)), stemOf(word.slice(at))];
    const value = Math.min(...parts.map(frequency));
    if (value > best.value) best = { parts, value };
  }
  return best.parts;
}
