/** Splits text into words and terms, in the same way for what is indexed and for what is asked. */
import { stemmer } from 'stemmer';
import { identifiersIn } from './identifiers.ts';
import { STOP_WORDS } from './stop-words.ts';

/** A longer word is encoded data that nobody searches for. */
const MAX_WORD_LENGTH = 40;
/** So is a longer name, however many words it consists of. */
const MAX_NAME_LENGTH = 120;
/** Longer runs seldom occur again. */
const MAX_REMEMBERED_LENGTH = 40;
/** At most twice as many are cached. */
const MAX_REMEMBERED = 20_000;

const ASCII = /^[\0-\x7f]*$/;
/** Words and names, together with anything outside of ASCII: the slower patterns below split that. */
const RUN = /[A-Za-z0-9\u0080-\uffff]+/g;
const LONG_NAME = new RegExp(`[A-Za-z0-9]{${MAX_NAME_LENGTH},}`, 'g');
const WORD = /[\p{L}\p{N}]+/gu;
/** The maximal length and number of parts of a name that people may write as one word: `JavaScript`, `MySQL`, `GitHub`. */
const MAX_WHOLE_LENGTH = 24;
const MAX_WHOLE_PARTS = 3;
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** What one run of letters and digits consists of. */
interface RunWords {
  readonly words: readonly string[];
  readonly terms: readonly string[];
  /** The names in it that are split. */
  readonly names: readonly WholeName[];
}

/** A name that is split into words, also as one word: `javascript` for `JavaScript`. */
export interface WholeName {
  readonly term: string;
  readonly parts: readonly string[];
  /** Whether it begins with a small letter, like names in code and seldom those of products. */
  readonly isCode: boolean;
}

/** Most runs of a text occur again, so they are split once. The latest ones, and those before. */
let runs = new Map<string, RunWords>();
let olderRuns = new Map<string, RunWords>();

/**
 * The words in lower case and without accents. Identifiers are split, so that `PaymentMethod`, `payment_method` and "payment method" are the same.
 * For scripts without spaces, each pair of neighbouring characters is a word.
 */
export function wordsOf(text: string): string[] {
  return runsIn(text).flatMap((run) => wordsOfRun(run).words);
}

/** Drops the caches. They fill again with use. */
export function forgetWords(): void {
  runs.clear();
  olderRuns.clear();
  stems.clear();
}

/** The stems of all words except stop words. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const run of runsIn(text)) {
    for (const term of wordsOfRun(run).terms) terms.push(term);
  }
  return terms;
}

/**
 * The terms of a text that is indexed. Names that are split are also there as one word, since people may write `mysql` for `MySQL`. Whole identifiers
 * come at the end, since `skip_log` does not mean `log_skip`.
 */
export function indexedTermsOf(text: string): string[] {
  const terms: string[] = [];
  for (const run of runsIn(text)) {
    const words = wordsOfRun(run);
    for (const term of words.terms) terms.push(term);
    for (const { term } of words.names) terms.push(term);
  }
  for (const { term } of identifiersIn(text)) terms.push(term);
  return terms;
}

/** The names of a text that are split. */
export function namesIn(text: string): WholeName[] {
  return runsIn(text).flatMap((run) => wordsOfRun(run).names);
}

/** The text with names as one word in each spelling: `PaymentMethod` and `paymentmethod`. */
export function withWholeNames(text: string): string {
  return text.replace(WORD, (word) => (isWholeName(word) ? word.toLowerCase() : word));
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
  // A copy, since the run itself would keep the whole text that it is a part of in memory.
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
  return { words, terms, names: wholeNamesIn(named) };
}

function wholeNamesIn(run: string): WholeName[] {
  return Array.from(run.matchAll(WORD), ([name]) => name)
    .filter(isWholeName)
    .map((name) => ({
      term: stemOf(name.toLowerCase()),
      parts: apart(name).split(' '),
      isCode: /^[a-z]/.test(name),
    }));
}

function isWholeName(name: string): boolean {
  if (name.length > MAX_WHOLE_LENGTH || !/[A-Z]/.test(name) || !ASCII.test(name)) return false;
  const parts = apart(name).split(' ').length;
  return parts > 1 && parts <= MAX_WHOLE_PARTS;
}

const stems = new Map<string, string>();

/**
 * Words that end with an s of their own, which Porter's algorithm would remove: `status` would become `statu`, and `statuses` `status`. The first
 * group also counts at the end of a name in one word. Compounds of `use`, such as `overused` and `TokenUses`, do not end with any of its words.
 */
const WITH_ENDING =
  /^(?:[a-z]*(?:apparatus|bonus|campus|census|chorus|corpus|hiatus|octopus|prospectus|status|virus)|alias|atlas|bias|bus|cactus|canvas|focus|minus|opus|sinus|terminus)(?=(?:es|ed|ing)$)/;

/** Porter's algorithm: `charges`, `charged` and `charging` are the same. Words with a digit, or that are not Latin, stay as they are. */
export function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = /^[a-z]{3,}$/.test(word) ? stemmer(WITH_ENDING.exec(word)?.[0] ?? word) : word;
    if (stems.size >= MAX_REMEMBERED) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

/** Splits at each capital that begins a word. `APIs` is a plural, and `TLSv1` has a version. */
function apart(text: string): string {
  const plain = ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu}{2})(?=v\d)/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}(?!s(?!\p{Ll})|v\d)\p{Ll})/gu, '$1 ')
    .toLowerCase();
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
