/** A line of a text as a reader sees it. */
export interface ReadLine {
  readonly text: string;
  /** Whether it goes on with what the line before says: of one paragraph or item, and no code. */
  readonly goesOn: boolean;
}

/** The rest of a sentence that is begun or not ended by what is shown. */
export interface Rest {
  readonly text: string;
  /** How many lines it is taken from. */
  readonly lines: number;
}

const NOTHING: Rest = { text: '', lines: 0 };
/** Behind the end of a sentence a new one begins with no small letter: "e.g. a line" is none. */
const SENTENCE_END = /[.!?][)"'”’*_]*(?=\s+[^\p{Ll}\s])/gu;
const ENDED = /[.!?:;][)"'”’*_]*$/;

/** What stands before a line up to the beginning of its sentence; nothing where that is farther away than there is room. */
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

/** Where the last sentence ends that another one follows in a text; 0 where none does. */
function lastEnd(text: string): number {
  let last = 0;
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) last = index + mark.length;
  return last;
}

/** Where the first one ends behind a place; the end of the text where none does. */
function firstEnd(text: string, from: number): number {
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) {
    if (index + mark.length >= from) return index + mark.length;
  }
  return text.length;
}

/** What stands behind a line up to the end of its sentence; nothing where that is farther away than there is room. */
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
 * A part of a long line, and the rest of the sentences in which it begins and ends, each where that is no longer than there is room; dots stand for
 * what is left out of a sentence.
 */
export function inWholeSentences(line: string, start: number, end: number, room: number): string {
  const begin = lastEnd(line.slice(0, start + 1));
  const close = firstEnd(line, end);
  const from = start - begin <= room ? begin : start;
  const to = close - end <= room ? close : end;
  return `${from > begin ? '…' : ''}${line.slice(from, to).trim()}${to < close ? '…' : ''}`.toWellFormed();
}
