/** A line of a text as a reader sees it. */
export interface ReadLine {
  readonly text: string;
  /** Whether it continues the paragraph or item of the line before, and is not code. */
  readonly goesOn: boolean;
}

/** The missing part of a sentence of which the beginning or the end is not shown. */
export interface Rest {
  readonly text: string;
  /** How many lines it is taken from. */
  readonly lines: number;
}

const NOTHING: Rest = { text: '', lines: 0 };
/** After the end of a sentence the next one does not begin with a small letter: "e.g. a line" does not contain an end. */
const SENTENCE_END = /[.!?][)"'”’*_]*(?=\s+[^\p{Ll}\s])/gu;
const ENDED = /[.!?:;][)"'”’*_]*$/;

/** The text before a line up to the beginning of its sentence; empty if that is further away than there is room. */
export function sentenceBefore(lines: readonly ReadLine[], start: number, room: number): Rest {
  let text = '';
  let at = start;
  while (lines[at]?.goesOn === true) {
    const before = lines[at - 1]?.text ?? '';
    if (ENDED.test(before)) break;
    const end = lastEnd(before);
    text = `${before.slice(end).trimStart()} ${text}`;
    if (text.length > room) return NOTHING;
    at -= 1;
    if (end > 0) break;
  }
  return { text, lines: start - at };
}

/** The end of the last sentence that another one follows in a text; 0 if there is none. */
function lastEnd(text: string): number {
  let last = 0;
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) last = index + mark.length;
  return last;
}

/** The end of the first sentence that ends after a position; the end of the text if there is none. */
function firstEnd(text: string, from: number): number {
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) {
    if (index + mark.length >= from) return index + mark.length;
  }
  return text.length;
}

/** The text after a line up to the end of its sentence; empty if that is further away than there is room. */
export function sentenceBehind(lines: readonly ReadLine[], last: number, room: number): string {
  let text = '';
  for (let at = last + 1; lines[at]?.goesOn === true && !ENDED.test(lines[at - 1]?.text ?? ''); at += 1) {
    const line = lines[at]?.text ?? '';
    const end = firstEnd(line, 0);
    text = `${text} ${line.slice(0, end)}`;
    if (text.length > room) return '';
    if (end < line.length) break;
  }
  return text;
}

/**
 * A part of a long line with the rest of the sentences in which it begins and ends, each if there is room for it. Dots stand for what is left out of
 * a sentence.
 */
export function inWholeSentences(line: string, start: number, end: number, room: number): string {
  const begin = lastEnd(line.slice(0, start + 1));
  const close = firstEnd(line, end);
  const from = start - begin <= room ? begin : start;
  const to = close - end <= room ? close : end;
  return `${from > begin ? '…' : ''}${line.slice(from, to).trim()}${to < close ? '…' : ''}`.toWellFormed();
}
