import type { OutlineFinding } from '../../core/outline.ts';
import type { Token } from '../markdown/parser.ts';
import type { MarkdownSource } from '../markdown/source.ts';
import type { SourceLines } from './source-lines.ts';

const RULE = 'malformed-table';

/** Rows with another number of cells than the header, and text that looks like a table and is none. */
export function tableFindings({ tokens, bodyLine }: MarkdownSource, lines: SourceLines): OutlineFinding[] {
  const findings: OutlineFinding[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.map === null) continue;
    const line = token.map[0] + bodyLine;
    if (token.type === 'table_open') findings.push(...rowFindings(lines, line, token.map[1] + bodyLine - 1));
    if (token.type !== 'paragraph_open') continue;
    const text = tokens[index + 1];
    if (text?.content.includes('|')) findings.push(...brokenTable(text, line, lines));
  }
  return findings;
}

/**
 * The faulty rows of a table. The table is shown all the same: a short row is filled up, and a long one is cut. The header has as many cells as the row below
 * it; otherwise it would be no table.
 */
function rowFindings(lines: SourceLines, header: number, end: number): OutlineFinding[] {
  const width = cellsIn(lines.at(header)).length;
  const findings: OutlineFinding[] = [];
  const leavesOffCells = isHabit(lines, header + 2, end, width);
  for (let line = header + 2; line <= end; line += 1) {
    const source = lines.at(line);
    const cells = cellsIn(source);
    if (cells.length === width || !isRow(source)) continue;
    if (leavesOffCells && cells.length < width) continue;
    const lost = cells.length > width ? '; what is too much is not shown' : '';
    const message = `this row has ${count(cells.length)}, the header has ${count(width)}${lost}`;
    findings.push({ rule: RULE, line, column: columnOf(source), message, severity: 'warning' });
  }
  return findings;
}

/** If at least this many rows are short, and they are a third of the table, they are not short by mistake. */
const ENOUGH_TO_BE_HABIT = 3;

/** Whether the table leaves off empty cells at the end of its rows, which are shown as empty. */
function isHabit(lines: SourceLines, from: number, end: number, width: number): boolean {
  let short = 0;
  for (let line = from; line <= end; line += 1) if (cellsIn(lines.at(line)).length < width) short += 1;
  return short >= ENOUGH_TO_BE_HABIT && short * 3 >= end - from + 1;
}

/** Whether a line is meant as a row. A paragraph right below a table is read as a row, and is not meant as one. */
function isRow(source: string): boolean {
  const text = source.replace(/^[\s>]*/, '');
  return text.startsWith('|') || text.trimEnd().endsWith('|') || / \| /.test(text);
}

const DELIMITER = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;
/** A line that was meant as a delimiter row: hyphens with something else between them. */
const DELIMITER_MARKS = /^\|[\s|:=_+.*–—-]*$/;
const RULE_BETWEEN = /--|[–—=_]{2}/;

function brokenTable({ content }: Token, line: number, lines: SourceLines): OutlineFinding[] {
  const rows = content.split('\n').map((row) => row.trim());
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    if (next === undefined || !row.includes('|')) continue;
    if (DELIMITER.test(next) && next.includes('|')) return unequal(rows, index, line, lines);
    if (!isFramed(row)) continue;
    if (DELIMITER_MARKS.test(next) && RULE_BETWEEN.test(next))
      return [findingAt(line + index + 1, lines, 'this delimiter row is not valid, so there is no table')];
    if (isFramed(next) && (index === 0 || !isFramed(rows[index - 1] ?? '')))
      return [findingAt(line + index, lines, 'this table has no delimiter row (|---|---|) below its header')];
  }
  return [];
}

/** The finding for a header and a delimiter row with different numbers of cells. The wrong one is the one that differs from the row below them. */
function unequal(
  rows: readonly string[],
  header: number,
  line: number,
  lines: SourceLines,
): OutlineFinding[] {
  const width = cellsIn(rows[header] ?? '').length;
  const delimiters = cellsIn(rows[header + 1] ?? '').length;
  const below = rows[header + 2];
  if (width === delimiters || (!isFramed(rows[header] ?? '') && delimiters < 2)) return [];
  const headerIsWrong = below !== undefined && cellsIn(below).length === delimiters;
  const message = `the header has ${count(width)}, the delimiter row below it ${count(delimiters)}, so there is no table`;
  return [findingAt(line + header + (headerIsWrong ? 0 : 1), lines, message)];
}

/** `| a | b |`, which nobody writes except for a table. */
function isFramed(row: string): boolean {
  return row.length > 4 && row.startsWith('|') && row.endsWith('|') && cellsIn(row).length > 1;
}

function findingAt(line: number, lines: SourceLines, message: string): OutlineFinding {
  return { rule: RULE, line, column: columnOf(lines.at(line)), message };
}

function columnOf(source: string): number {
  return source.length - source.replace(/^[\s>]*/, '').length + 1;
}

function count(cells: number): string {
  return cells === 1 ? '1 cell' : `${cells} cells`;
}

/** The cells of a row, split as GitHub does: at each `|` that is not escaped, even in code spans. */
function cellsIn(row: string): string[] {
  const cells = row
    .replace(/^[\s>]*/, '')
    .trimEnd()
    .split(/(?<!\\)(?:\\\\)*\|/);
  if (cells[0]?.trim() === '') cells.shift();
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells;
}
