/** Splits prose into sentences, each with its words and the marks and line breaks within it. */
import type { Mark, RichText } from '../markdown/rich-text.ts';
import { endOfGenitive, endOfWord, isWordCode, makeWord, type Word } from './words.ts';

export interface Sentence extends RichText {
  /** The sentence's offset in the whole text. */
  readonly offset: number;
  /** The words outside of code spans. */
  readonly words: readonly Word[];
}

/** A longer text is a table, a log or data that has lost its line breaks. Its first sentences are enough. */
const MAX_LENGTH = 50_000;

/**
 * Splits a text into sentences. A sentence ends at a full stop before white space, at a semicolon, at a hard line break and before a label in bold on a line of its own, but never within a link or
 * a code span.
 */
export function splitSentences(rich: RichText): Sentence[] {
  return new Scanner(rich).scan();
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
const BANG = 0x21;
const COLON = 0x3a;
const FULL_STOP = 0x2e;
const SEMICOLON = 0x3b;
const QUESTION = 0x3f;
const ELLIPSIS = 0x2026;

/** Reads the text once from left to right, collecting words and cutting off each sentence at its end. */
class Scanner {
  readonly #rich: RichText;
  readonly #text: string;
  readonly #sentences: Sentence[] = [];
  #words: Word[] = [];
  #start = 0;
  #line: number;
  #nextMark = 0;
  #nextCover = 0;
  #nextBreak = 0;
  /** The first line break that labels have not been looked for behind. */
  #labelBreak = 0;
  /** The end of the link that the scan is in. */
  #linkEnd = 0;

  constructor(rich: RichText) {
    this.#rich = rich;
    this.#text = rich.text;
    this.#line = rich.line;
  }

  scan(): Sentence[] {
    const text = this.#text;
    const length = Math.min(text.length, MAX_LENGTH);
    let at = 0;
    let nextMark = this.#markAt();
    let words = this.#words;
    let start = 0;
    while (at < length) {
      if (at >= nextMark) {
        at = this.#enterMarks(at);
        nextMark = this.#markAt();
        start = this.#start;
        words = this.#words;
      }
      const code = text.charCodeAt(at);
      if (isWordCode(code)) {
        const end = endOfWord(text, at);
        words.push(makeWord(text, at, end, start, at < this.#linkEnd));
        at = endOfGenitive(text, end);
        continue;
      }
      at += 1;
      if (code === SPACE || !isEndCode(code) || at < this.#linkEnd) continue;
      const end = this.#endOfSentence(code, at);
      if (end === undefined) continue;
      this.#cut(end);
      at = start = end;
      words = this.#words;
    }
    this.#cut(length);
    return this.#sentences;
  }

  /** Where the next mark begins that matters to the scan. */
  #markAt(): number {
    return this.#rich.marks[this.#nextCover]?.start ?? Number.POSITIVE_INFINITY;
  }

  /** Skips code spans that begin at `at`, notes links, and ends the sentence before a label. */
  #enterMarks(at: number): number {
    const { marks } = this.#rich;
    let position = at;
    for (; this.#nextCover < marks.length; this.#nextCover += 1) {
      const mark = marks[this.#nextCover];
      if (mark === undefined || mark.start > position) break;
      if (mark.kind === 'code') position = Math.max(position, mark.end);
      else if (mark.kind === 'strong' && mark.start === at && this.#isLabel(mark)) this.#cut(at);
      else if (mark.kind === 'link' || mark.kind === 'wikilink')
        this.#linkEnd = Math.max(this.#linkEnd, mark.end);
    }
    return position;
  }

  /** Whether bold type labels what follows on its line, below another line: `**Producer:** Kiln`, `**Producer**: Kiln`. */
  #isLabel({ start, end }: Mark): boolean {
    if (this.#text.charCodeAt(end - 1) !== COLON && this.#text.charCodeAt(end) !== COLON) return false;
    while ((this.#rich.breaks[this.#labelBreak] ?? Number.POSITIVE_INFINITY) < start) this.#labelBreak += 1;
    return start > this.#start && this.#rich.breaks[this.#labelBreak] === start;
  }

  /**
   * Where the sentence ends whose last character may stand before `end`, including closing quotes and brackets.
   * @returns undefined if the sentence goes on
   */
  #endOfSentence(code: number, end: number): number | undefined {
    if (code === NEWLINE) return end;
    const text = this.#text;
    let closed = end;
    while (isCloser(text.charCodeAt(closed))) closed += 1;
    if (!isSpace(text.charCodeAt(closed))) return undefined;
    // A sign of a legend ends nothing: `✓ Fired | ? Needs Glazing`.
    if (code !== FULL_STOP) return text.startsWith('| ', end - 3) ? undefined : closed;
    if (isAbbreviation(text, this.#start, end - 1)) return undefined;
    let next = closed;
    while (isSpace(text.charCodeAt(next))) next += 1;
    if (isCapital(text.charCodeAt(next))) return closed;
    const goesOn = isLowerCase(text.charAt(next)) && !this.#rich.marks.some(({ start }) => start === next);
    return goesOn ? undefined : closed;
  }

  #cut(end: number): void {
    const start = this.#start;
    const { breaks } = this.#rich;
    const line = this.#line;
    const ownBreaks: number[] = [];
    for (; (breaks[this.#nextBreak] ?? Number.POSITIVE_INFINITY) <= end; this.#nextBreak += 1) {
      ownBreaks.push((breaks[this.#nextBreak] ?? 0) - start);
      this.#line += 1;
    }
    const marks = this.#takeMarks(start, end);
    const words = this.#words;
    this.#start = end;
    this.#words = [];
    if (words.length === 0 && marks.length === 0) return;
    const text = this.#text.slice(start, end);
    this.#sentences.push({ text, marks, line, breaks: ownBreaks, offset: start, words });
  }

  /** The marks that begin in a sentence, with offsets from its start; tags are left out. */
  #takeMarks(start: number, end: number): Mark[] {
    const { marks } = this.#rich;
    const taken: Mark[] = [];
    for (; this.#nextMark < marks.length; this.#nextMark += 1) {
      const mark = marks[this.#nextMark];
      if (mark === undefined || mark.start >= end) break;
      if (mark.kind === 'tag') continue;
      const { kind, target, attributes } = mark;
      taken.push({
        kind,
        start: mark.start - start,
        end: Math.min(mark.end, end) - start,
        target,
        attributes,
      });
    }
    return taken;
  }
}

function isEndCode(code: number): boolean {
  switch (code) {
    case NEWLINE:
    case FULL_STOP:
    case BANG:
    case QUESTION:
    case SEMICOLON:
    case ELLIPSIS:
      return true;
    default:
      return false;
  }
}

function isSpace(code: number): boolean {
  return code === SPACE || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
}

/** Closing quotes and brackets, which may follow a full stop. */
function isCloser(code: number): boolean {
  return (
    code === 0x22 || code === 0x27 || code === 0x29 || code === 0x5d || code === 0x201d || code === 0x2019
  );
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isLowerCase(character: string): boolean {
  return character !== '' && character === character.toLowerCase() && character !== character.toUpperCase();
}

const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'e.g eg i.e ie etc vs approx cf resp no fig sec dr mr mrs st inc max min'.split(' '),
);

/** Whether the full stop at `end` belongs to an abbreviation. */
function isAbbreviation(text: string, start: number, end: number): boolean {
  let from = end;
  while (
    from > start &&
    end - from < 8 &&
    !isSpace(text.charCodeAt(from - 1)) &&
    text.charAt(from - 1) !== '('
  )
    from -= 1;
  const word = text.slice(from, end).toLowerCase();
  return ABBREVIATIONS.has(word) || /^[a-z]$/.test(word);
}
