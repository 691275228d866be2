/**
 * Inline content as plain text with marks: every rule of the extractor reads words at offsets and asks which markup covers them, and need not walk nested
 * tokens.
 */
import { foldSpace } from '../../text/fold-space.ts';

export type MarkKind = 'strong' | 'emphasis' | 'code' | 'link' | 'image' | 'wikilink' | 'tag';

/** A range of the text that markup covers. */
export interface Mark {
  readonly kind: MarkKind;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** The target of a link, image or wikilink as written, or the name of a tag; empty for other kinds. */
  readonly target: string;
  /** The attributes of a tag whose values are plain strings; empty for other kinds. */
  readonly attributes: ReadonlyMap<string, string>;
}

export interface RichText {
  /** The text without markup. A soft line break is a space; a hard one, and the edge of a block-level tag, is `\n`. */
  readonly text: string;
  /** Sorted by start, with outer marks before those within them. */
  readonly marks: readonly Mark[];
  /** The line of the file at which the text begins, from 1. */
  readonly line: number;
  /** The offsets at which further source lines begin, in ascending order. */
  readonly breaks: readonly number[];
}

export const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

export const EMPTY_TEXT: RichText = { text: '', marks: [], line: 0, breaks: [] };

/** The line of the file that belongs to an offset. */
export function lineAt(rich: RichText, offset: number): number {
  let line = rich.line;
  for (const start of rich.breaks) {
    if (start > offset) break;
    line += 1;
  }
  return line;
}

/** The text that a mark covers. */
export function textOf(rich: RichText, mark: Mark): string {
  return rich.text.slice(mark.start, mark.end);
}

/** Removes white space at both ends, which an element may have, but a heading or cell of markdown does not. */
export function trimmed(rich: RichText): RichText {
  const text = rich.text.trim();
  if (text === rich.text) return rich;
  const start = rich.text.length - rich.text.trimStart().length;
  const within = (offset: number) => Math.min(Math.max(0, offset - start), text.length);
  return {
    text,
    marks: rich.marks.map((mark) => ({ ...mark, start: within(mark.start), end: within(mark.end) })),
    line: lineAt(rich, start),
    breaks: rich.breaks.filter((offset) => offset > start && offset - start <= text.length).map(within),
  };
}

/** Plain text as rich text, for sources without markup. */
export function plainText(text: string, line: number): RichText {
  return { text, marks: [], line, breaks: [] };
}

/** Cuts a text at a word before `limit` characters, and adds an ellipsis. */
export function shorten(text: string, limit: number): string {
  const folded = foldSpace(text);
  if (folded.length <= limit) return folded;
  const cut = folded.slice(0, limit - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).trimEnd().toWellFormed()}…`;
}
