/** What a text is made of as search sees it: the same for what is indexed and for what is asked. */
import { stemmer } from 'stemmer';
import { STOP_WORDS } from './stop-words.ts';

/** A longer run of letters is an encoded blob, and nobody asks for it. */
const MAX_WORD_LENGTH = 40;
const MAX_REMEMBERED_STEMS = 50_000;

const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/**
 * Words in lower case, without marks: identifiers are taken apart, so that `PaymentMethod`, `payment_method` and "payment method" meet. Of
 * scripts without spaces, each pair of neighbouring characters.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of apart(text).matchAll(WORD)) {
    if (UNSPACED.test(run)) words.push(...pairsOf(run));
    else if (run.length <= MAX_WORD_LENGTH) words.push(run);
  }
  return words;
}

/** The stems of the words that say something. */
export function termsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => (STOP_WORDS.has(word) ? [] : [stemOf(word)]));
}

const stems = new Map<string, string>();

/** By Porter's algorithm: `charges`, `charged` and `charging` are one. What has a digit or is not Latin stays as it is. */
export function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
    if (stems.size >= MAX_REMEMBERED_STEMS) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

function apart(text: string): string {
  const plain = /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .toLowerCase();
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
