/** Splits prose into sentences, each with the marks and line breaks that lie in it. */
import type { RichText } from '../markdown/rich-text.ts';

export interface Sentence extends RichText {
  /** Offset of the sentence in the text it was cut from. */
  readonly offset: number;
}

const BOUNDARY = /\n+|[.!?…](?=["')\]]*\s)|;(?=\s)/g;

/** Words whose full stop ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.?g|i\.?e|etc|vs|approx|cf|resp|no|fig|sec|dr|mr|mrs|st|inc|max|min|[a-z])$/i;

/** A longer text is tables, logs or data that lost their line breaks: its first sentences are enough. */
const MAX_LENGTH = 50_000;

/**
 * A sentence ends at a full stop before white space, at a semicolon and at a hard line break, never within a link or
 * a code span.
 */
export function splitSentences(rich: RichText): Sentence[] {
  const text = rich.text.slice(0, MAX_LENGTH);
  const sentences: Sentence[] = [];
  const cutter = new Cutter(rich);
  let start = 0;
  for (const boundary of text.matchAll(BOUNDARY)) {
    const end = boundary.index + boundary[0].length;
    if (!boundary[0].startsWith('\n') && !endsSentence(rich, text, start, end)) continue;
    if (boundary[0] !== '\n' && cutter.isInsideMark(end)) continue;
    cutter.cut(start, end, sentences);
    start = end;
  }
  cutter.cut(start, text.length, sentences);
  return sentences;
}

function endsSentence(rich: RichText, text: string, start: number, end: number): boolean {
  if (text.charAt(end - 1) !== '.') return true;
  const before = text.slice(Math.max(start, end - 12), end - 1);
  if (ABBREVIATION.test(before)) return false;
  const gap = text.slice(end, end + 20).search(/[^"')\]\s]/);
  const next = end + Math.max(gap, 0);
  if (!/\p{Ll}/u.test(text.charAt(next))) return true;
  return rich.marks.some((mark) => mark.start === next);
}

/** Hands out marks and breaks in one pass: sentences are cut in ascending order. */
class Cutter {
  readonly #rich: RichText;
  #mark = 0;
  #break = 0;
  #line: number;

  constructor(rich: RichText) {
    this.#rich = rich;
    this.#line = rich.line;
  }

  isInsideMark(offset: number): boolean {
    const { marks } = this.#rich;
    for (let index = this.#mark; index < marks.length; index += 1) {
      const mark = marks[index];
      if (mark === undefined || mark.start >= offset) return false;
      if (mark.end > offset && mark.kind !== 'tag' && mark.kind !== 'strong' && mark.kind !== 'emphasis')
        return true;
    }
    return false;
  }

  cut(start: number, end: number, into: Sentence[]): void {
    const { text, marks, breaks } = this.#rich;
    const line = this.#line;
    const ownBreaks: number[] = [];
    for (; (breaks[this.#break] ?? Number.POSITIVE_INFINITY) <= end; this.#break += 1) {
      ownBreaks.push((breaks[this.#break] ?? 0) - start);
      this.#line += 1;
    }
    const ownMarks = [];
    for (; (marks[this.#mark]?.start ?? Number.POSITIVE_INFINITY) < end; this.#mark += 1) {
      const mark = marks[this.#mark];
      if (mark === undefined || mark.kind === 'tag') continue;
      ownMarks.push({
        ...mark,
        start: Math.max(0, mark.start - start),
        end: Math.min(mark.end, end) - start,
      });
    }
    const body = text.slice(start, end);
    if (body.trim() === '') return;
    into.push({ text: body, marks: ownMarks, line, breaks: ownBreaks, offset: start });
  }
}
