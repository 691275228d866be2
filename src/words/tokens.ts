/** What a text is made of as search sees it: the same for what is indexed and for what is asked. */
import { stemmer } from 'stemmer';
import { STOP_WORDS } from './stop-words.ts';

/** A longer word is an encoded blob, and nobody asks for it. */
const MAX_WORD_LENGTH = 40;
/** A name that is longer, too, however many words it is made of. */
const MAX_NAME_LENGTH = 120;
/** Runs that are longer come seldom again. */
const MAX_REMEMBERED_LENGTH = 40;
/** Twice as many are remembered at most. */
const MAX_REMEMBERED = 20_000;

const ASCII = /^[\0-\x7f]*$/;
/** Words and names, with whatever is not ASCII between them: that is sorted out by the slower patterns below. */
const RUN = /[A-Za-z0-9\u0080-\uffff]+/g;
const LONG_NAME = new RegExp(`[A-Za-z0-9]{${MAX_NAME_LENGTH},}`, 'g');
const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** What one run of letters and digits is made of. */
interface RunWords {
  readonly words: readonly string[];
  readonly terms: readonly string[];
}

/** Most runs of a text come again: they are taken apart once. The latest, and those before. */
let runs = new Map<string, RunWords>();
let olderRuns = new Map<string, RunWords>();

/**
 * Words in lower case, without marks: identifiers are taken apart, so that `PaymentMethod`, `payment_method` and "payment method" meet. Of
 * scripts without spaces, each pair of neighbouring characters.
 */
export function wordsOf(text: string): string[] {
  return runsIn(text).flatMap((run) => wordsOfRun(run).words);
}

/** Lets go of what is remembered to be quick; it comes back with use. */
export function forgetWords(): void {
  runs.clear();
  olderRuns.clear();
  stems.clear();
}

/** The stems of the words that say something. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const run of runsIn(text)) {
    for (const term of wordsOfRun(run).terms) terms.push(term);
  }
  return terms;
}

function runsIn(text: string): readonly string[] {
  return text.match(RUN) ?? [];
}

function wordsOfRun(run: string): RunWords {
  const known = runs.get(run);
  if (known !== undefined) return known;
  const made = olderRuns.get(run) ?? splitRun(run);
  if (run.length > MAX_REMEMBERED_LENGTH) return made;
  if (runs.size >= MAX_REMEMBERED) {
    olderRuns = runs;
    runs = new Map();
  }
  // A copy: the run itself keeps the whole text that it is a part of in memory.
  runs.set(Buffer.from(run).toString(), made);
  return made;
}

function splitRun(run: string): RunWords {
  const words: string[] = [];
  const named = run.length < MAX_NAME_LENGTH ? run : run.replace(LONG_NAME, ' ');
  for (const [word] of apart(named).matchAll(WORD)) {
    if (UNSPACED.test(word)) words.push(...pairsOf(word));
    else if (word.length <= MAX_WORD_LENGTH) words.push(Buffer.from(word).toString());
  }
  const terms = words.flatMap((word) => (STOP_WORDS.has(word) ? [] : [stemOf(word)]));
  return { words, terms };
}

const stems = new Map<string, string>();

/** By Porter's algorithm: `charges`, `charged` and `charging` are one. What has a digit or is not Latin stays as it is. */
export function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
    if (stems.size >= MAX_REMEMBERED) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

function apart(text: string): string {
  const plain = ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '');
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
