import { stemOf, termsOf, wordsOf } from '../words/tokens.ts';

/** A sentence of a text, as plain text in one line. */
export interface Sentence {
  readonly text: string;
  /** The line in the text, 1-based. */
  readonly line: number;
  readonly terms: readonly string[];
}

/** Shorter sentences say nothing by themselves; longer ones are no sentences. */
const MIN_WORDS = 3;
const MAX_LENGTH = 400;
/** The maximal length with markup. Removing the markup from a hostile sentence of nothing but brackets would take hours. */
const MAX_SOURCE_LENGTH = 4000;
/** How much is split at once, or more if a sentence is longer: the time of the segmenter grows with the square of the length. */
const SPLIT_LENGTH = 1000;

/** Lines that are no sentences, without their indentation. */
const SKIPPED =
  /^(?:#{1,6}\s|={3,}\s*$|[-*_]{3,}\s*$|(?=[^|]*\|)[\s|:-]+$|<!--|:::|(?:!{3}|\?{3}\+?)\s|import\s|export\s)/;
/** As a request line below a heading is. */
const CODE_ONLY = /^`[^`]*`[.:;]?$/;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const BULLET = /^\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/;
const QUOTE = /^\s*(?:>\s?)+/;
/** The beginning of a quotation that is a note or a warning. What follows in its line is a title. */
const CALLOUT = /^\s*(?:>\s?)+\[!\w[\w-]*\][+-]?/;
/** The sign of an image, the text and the target of a link, and code: a mark inside of these ends no sentence. */
const CLOSED = /!(?=\[)|\[[^[\]]*(?=\]\()|\]\((?:<[^<>]*>|[^()\s]*)(?:\s+"[^"()]*")?|`[^`]*`/g;
const END_MARK = /[.!?:。！？…]/g;

/** Made when it is first needed: the language data that it loads would take 10 ms of each start. */
let segmenter: Intl.Segmenter | undefined;

/** The sentences of a markdown text in order: those of paragraphs and items, and each row of a table. Headings, code and front matter have none. */
export function sentencesOf(markdown: string): Sentence[] {
  return blocksOf(markdown).flatMap(({ text, line }) => splitBlock(text, line));
}

interface Block {
  /** The text with its line breaks. */
  readonly text: string;
  readonly line: number;
}

/** Paragraphs, items and rows. */
function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let start = 0;
  let isCode = false;
  const end = () => {
    if (lines.length > 0) blocks.push({ text: lines.join('\n'), line: start });
    lines = [];
  };
  const all = markdown.split('\n');
  for (let index = frontMatterLines(all); index < all.length; index += 1) {
    const line = (all[index] ?? '').replace(/\r$/, '');
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || line.trim() === '' || SKIPPED.test(line.trimStart())) {
      end();
      continue;
    }
    const isRow = /^\s*\|.*\|\s*$/.test(line);
    const isCallout = CALLOUT.test(line);
    if (isRow || isCallout || BULLET.test(line)) end();
    if (lines.length === 0) start = index + 1;
    lines.push(isRow ? rowText(line) : line.replace(CALLOUT, '').replace(BULLET, '').replace(QUOTE, ''));
    if (isRow || isCallout) end();
  }
  end();
  return blocks;
}

/** How many lines front matter takes at the beginning of a document. */
export function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end + 1;
}

function rowText(line: string): string {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ');
}

function splitBlock(block: string, line: number): Sentence[] {
  const sentences: Sentence[] = [];
  let at = line;
  let counted = 0;
  // A line break within a paragraph ends no sentence.
  for (const { segment, index } of segmentsOf(withoutInnerMarks(block.replaceAll('\n', ' ')))) {
    at += block.slice(counted, index).split('\n').length - 1;
    counted = index;
    const text = plain(block.slice(index, index + segment.length));
    const words = wordsOf(text);
    if (words.length >= MIN_WORDS && text.length <= MAX_LENGTH && !CODE_ONLY.test(text))
      sentences.push({ text, line: at, terms: termsOf(text) });
  }
  return sentences;
}

/** The text without marks that look like the end of a sentence and are none. Its length stays the same. */
function withoutInnerMarks(text: string): string {
  return text.replace(CLOSED, (part) => part.replace(END_MARK, '_'));
}

/** Possible sentences of a text: pieces that are not too long, with their positions. */
function* segmentsOf(text: string): Generator<{ readonly segment: string; readonly index: number }> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  let isTooLong = false;
  for (let start = 0, length = SPLIT_LENGTH; start < text.length; ) {
    const segments = Array.from(segmenter.segment(text.slice(start, start + length)));
    const last = segments.at(-1)?.index ?? 0;
    const isEnd = start + length >= text.length;
    if (last === 0 && !isEnd && length <= MAX_SOURCE_LENGTH) {
      length *= 2;
      continue;
    }
    for (const { segment, index } of segments) {
      // Whether the last one ends here only shows with the text after it.
      if (index === last && !isEnd) break;
      if (!isTooLong && segment.length <= MAX_SOURCE_LENGTH) yield { segment, index: start + index };
      isTooLong = false;
    }
    isTooLong ||= last === 0;
    start += last === 0 || isEnd ? length : last;
    length = SPLIT_LENGTH;
  }
}

/** Plain text: links become their text, and marks of emphasis are removed. Names keep their backticks, since those say that they are names. */
function plain(text: string): string {
  return text
    .replace(/!\[[^[\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^[\]]*)\]\((?:<[^<>]*>|[^)\s]*)(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]*>/g, '')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/gs, '$2')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The terms of a question, made in the same way as those of sentences. */
export function questionTerms(question: string): ReadonlySet<string> {
  const terms = termsOf(question);
  return new Set(terms.length > 0 ? terms : wordsOf(question).map(stemOf));
}
