import { HEADING_ELEMENT } from '../markdown/html-headings.ts';
import type { Token } from '../markdown/parser.ts';
import type { MarkdownSource } from '../markdown/source.ts';

/** A paragraph, heading or table cell, with everything that is written in it. */
export interface InlineBlock {
  /** 1 to 6 for a heading, 0 for anything else. */
  readonly level: number;
  /** Whether it is a heading that is written as an HTML element. */
  readonly isElement: boolean;
  /** The line of the file at which it begins, from 1. */
  readonly line: number;
  /** The content as written, without the marks of the block around it. */
  readonly content: string;
  readonly children: readonly Token[];
}

/** All blocks of a document with text, in document order. Code, comments and raw elements are left out. */
export function* inlineBlocks({ tokens, bodyLine }: MarkdownSource): Generator<InlineBlock> {
  let level = 0;
  let isElement = false;
  let line = bodyLine;
  for (const token of tokens) {
    if (token.map !== null) line = token.map[0] + bodyLine;
    if (token.type === 'heading_open') {
      level = Number(token.tag.slice(1));
      isElement = token.markup === HEADING_ELEMENT;
    }
    if (token.type !== 'inline') continue;
    yield { level, isElement, line, content: token.content, children: token.children ?? [] };
    level = 0;
    isElement = false;
  }
}

/** The tokens of a block, each with the line of the file in which it begins. */
export function* withLines({
  children,
  line,
}: InlineBlock): Generator<readonly [token: Token, line: number]> {
  let at = line;
  for (const token of children) {
    yield [token, at];
    if (token.type === 'softbreak' || token.type === 'hardbreak') at += 1;
    const newlines = token.meta?.['newlines'];
    if (typeof newlines === 'number') at += newlines;
  }
}
