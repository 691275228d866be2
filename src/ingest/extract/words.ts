/**
 * The words of a sentence, scanned once: both names and verbs are looked for among them. It is written by hand for speed, since it
 * runs over every character of every document.
 */
import { Memo } from './memo.ts';
import { type Phrase, phrasesFrom } from './verb-phrases.ts';

/** What is known of a word regardless of its place. */
interface Lexeme {
  /** In lower case. */
  readonly text: string;
  /** Whether it is written with a capital at its start. */
  readonly capital: boolean;
  /** The phrases of the table of verbs that begin with it. */
  readonly phrases: readonly Phrase[] | undefined;
}

export interface Word extends Lexeme {
  readonly start: number;
  readonly end: number;
  /** Whether it stands within a link, where a word is part of a name. */
  readonly linked: boolean;
}

const lexemes = new Memo<Lexeme>((source) => {
  const text = source.toLowerCase();
  return { text, capital: source.charCodeAt(0) !== text.charCodeAt(0), phrases: phrasesFrom(text) };
});

/** @param offset where in `text` the sentence begins; the word's own offsets count from there */
export function makeWord(text: string, start: number, end: number, offset: number, linked: boolean): Word {
  const { text: lower, capital, phrases } = lexemes.at(text, start, end);
  return { text: lower, capital, phrases, start: start - offset, end: end - offset, linked };
}

const APOSTROPHE = 0x27;
const CURLY_APOSTROPHE = 0x2019;
const HYPHEN = 0x2d;
const SMALL_S = 0x73;

/** Where the word ends that begins at `start`. Hyphens and apostrophes within it are part of it. */
export function endOfWord(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (isWordCode(code)) at += 1;
    else if (isJoint(text, at, code)) at += 2;
    else return at;
  }
}

/** Whether a character joins two parts of a word: a hyphen between letters, or an apostrophe that begins no genitive. */
function isJoint(text: string, at: number, code: number): boolean {
  if (code !== HYPHEN && !isApostrophe(code)) return false;
  if (!isWordCode(text.charCodeAt(at + 1))) return false;
  return code === HYPHEN || text.charCodeAt(at + 1) !== SMALL_S || isWordCode(text.charCodeAt(at + 2));
}

/** The end of the genitive ending behind a word: `Customer's` is the word Customer. */
export function endOfGenitive(text: string, end: number): number {
  return isApostrophe(text.charCodeAt(end)) && text.charCodeAt(end + 1) === SMALL_S ? end + 2 : end;
}

function isApostrophe(code: number): boolean {
  return code === APOSTROPHE || code === CURLY_APOSTROPHE;
}

/** Whether a character is part of a word: letters, digits and `_`; beyond ASCII, all but the blocks of punctuation, arrows and symbols. */
export function isWordCode(code: number): boolean {
  return code < 0x80 ? ASCII_WORD[code] === 1 : isOtherWordCode(code);
}

function isOtherWordCode(code: number): boolean {
  if (code >= 0x2000 && code <= 0x2bff) return false;
  return code > 0xbf && code !== 0xd7 && code !== 0xf7 && !(code >= 0x3000 && code <= 0x303f);
}

const ASCII_WORD = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /\w/.test(String.fromCharCode(code)) ? 1 : 0,
);
