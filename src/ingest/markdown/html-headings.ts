/**
 * Headings that are written as elements, such as `<h1 align="center">Title</h1>`. One that stands alone on its lines is a heading like any other. Only what
 * certainly is a heading is taken; the rest stays part of the text around it.
 */

import type { StateBlock } from 'markdown-it';
import { partitionPoint } from '../../core/partition-point.ts';
import { firstCharacter } from './block-places.ts';
import { scanTag } from './tags.ts';

/** Longer elements are no headings. This limits how much is looked at for each. */
const MAX_LENGTH = 4_000;
const MAX_LINES = 20;

/** Elements that may surround a heading and have no meaning of their own. */
const OPENING =
  /^(?:<\/?(?:a|article|br|center|details|div|header|main|p|section|span|summary)(?:\s[^<>]{0,1000})?\/?>[ \t]*){0,5}(?=<h([1-6])(?:[\s>]|$))/i;
const HEADING = /<h[1-6][\s>]/i;
/** A path that is only set apart from its method by layout, as generators of API references do: the endpoint is read from both. */
const PATH_ALONE = /^\s*\/\S*\s*$/;
const LETTER = /[\p{L}\p{N}]/u;

/** The markup of the token of such a heading. */
export const HEADING_ELEMENT = '<h>';

export function htmlHeading(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = firstCharacter(state, startLine);
  if (state.src.charAt(start) !== '<' || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const firstLine = state.src.slice(start, Math.min(state.eMarks[startLine] ?? start, start + MAX_LENGTH));
  const [before = '', level = ''] = OPENING.exec(firstLine) ?? [];
  if (level === '' || isWithinCode(state) || isWithinTable(state, start)) return false;
  const found = upToClosing(state, startLine, endLine, before.length, level);
  if (found === undefined) return false;
  if (silent) return true;
  const map: [number, number] = [startLine, found.nextLine];
  const open = state.push('heading_open', `h${level}`, 1);
  open.markup = HEADING_ELEMENT;
  open.map = map;
  const inline = state.push('inline', '', 0);
  inline.content = found.content;
  inline.map = map;
  inline.children = [];
  state.push('heading_close', `h${level}`, -1).markup = HEADING_ELEMENT;
  state.line = found.nextLine;
  return true;
}

/** @param from the offset in the first line at which the element begins */
function upToClosing(
  state: StateBlock,
  startLine: number,
  endLine: number,
  from: number,
  level: string,
): { readonly content: string; readonly nextLine: number } | undefined {
  const closing = new RegExp(`</h${level}\\s*>`, 'i');
  let content = '';
  for (let line = startLine; line < Math.min(endLine, startLine + MAX_LINES); line += 1) {
    const isFurther = line > startLine;
    if (isFurther && (state.isEmpty(line) || (state.sCount[line] ?? 0) < state.blkIndent)) return undefined;
    const length = (state.eMarks[line] ?? 0) - firstCharacter(state, line);
    if (content.length + length > MAX_LENGTH) return undefined;
    const source = state.getLines(line, line + 1, state.blkIndent, false);
    content = isFurther ? `${content}\n${source}` : source.trimStart();
    if (!/<\/?h[1-6]/i.test(isFurther ? source : content.slice(from + 3))) continue;
    const end = closing.exec(content);
    if (end === null || !isHeading(content.slice(from, end.index))) return undefined;
    const isAlone =
      content
        .slice(end.index + end[0].length)
        .replace(/<[^<>]*>/g, '')
        .trim() === '';
    return isAlone ? { content: content.trimEnd(), nextLine: line + 1 } : undefined;
  }
  return undefined;
}

/** Whether an element says something itself: it is not just an image, a template expression, a path, or links. */
function isHeading(element: string): boolean {
  const opening = scanTag(element, 0, element.length);
  if (opening === undefined) return false;
  const within = element.slice(opening.source.length);
  if (HEADING.test(within)) return false;
  if (PATH_ALONE.test(within)) return false;
  const [outside = '', ...links] = within.split(/<a(?=[\s>])/i);
  const between = links.map((link) =>
    link
      .split(/<\/a\s*>/i)
      .slice(1)
      .join(' '),
  );
  return saysSomething(within) && (links.length < 2 || saysSomething([outside, ...between].join(' ')));
}

function saysSomething(source: string): boolean {
  return LETTER.test(source.replace(/<[^<>]*>|\{[^{}]*\}|&#?\w+;/g, ''));
}

/** Whether the place is in a paragraph that is code of MDX. */
function isWithinCode({ src, bMarks, line }: StateBlock): boolean {
  const start = bMarks[line] ?? 0;
  return src.startsWith('export ', start) || src.startsWith('import ', start);
}

type Range = readonly [start: number, end: number];

const tables = new WeakMap<StateBlock, readonly Range[]>();

/** A heading in a cell belongs to the cell, whatever blank lines are in it. */
function isWithinTable(state: StateBlock, at: number): boolean {
  const known = tables.get(state) ?? tablesIn(state.src);
  tables.set(state, known);
  const range = known[partitionPoint(known.length, (index) => (known[index]?.[1] ?? 0) < at)];
  return range !== undefined && range[0] < at;
}

const TABLE_EDGE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:(<table)[\s>]|(`{3,}|~{3,})(.*))|<\/table/gim;

/** The ranges from the start of each table to the next end. Tables without an end, or in code, are left out. */
function tablesIn(source: string): Range[] {
  const ranges: Range[] = [];
  let start = -1;
  let code = '';
  for (const { index, 1: opening, 2: fence, 3: info = '' } of source.matchAll(TABLE_EDGE)) {
    if (fence !== undefined) code = fenceBehind(code, fence, info);
    else if (code !== '') continue;
    else if (opening !== undefined) start = index;
    else if (start !== -1) {
      ranges.push([start, index]);
      start = -1;
    }
  }
  return ranges;
}

/** The fence that is open after a line that looks like one; empty if none is open. */
function fenceBehind(open: string, fence: string, info: string): string {
  if (open === '') return fence.startsWith('`') && info.includes('`') ? '' : fence;
  return fence.startsWith(open) && info.trim() === '' ? '' : open;
}
