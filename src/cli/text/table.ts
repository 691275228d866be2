import { printable, printableName } from '../../text/printable.ts';
import type { Output } from '../io.ts';
import { cutToWidth, displayWidth } from './display-width.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number;
  /** Whether the column holds names or paths that somebody may want to open. */
  readonly isName?: true;
}

/** The space between columns. */
export const GAP = '  ';

/** On a terminal, the part of a line that a column may take, so that one long name does not push the other columns out of sight. */
const WIDEST_SHARE = 0.5;

/** Writes rows below a line of titles. On a terminal no column is wider than half a line, and lines are cut at its end; in a pipe nothing is cut. */
export function writeTable<Row>(output: Output, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const widest = output.columns === undefined ? undefined : Math.ceil(output.columns * WIDEST_SHARE);
  const cells = rows.map((row) =>
    columns.map(({ value, isName }, index) => {
      const cell = cellOf(value(row), isName);
      const isLast = index === columns.length - 1;
      return widest === undefined || isLast ? cell : { ...cell, text: cutToWidth(cell.text, widest) };
    }),
  );
  const titles = columns.map(({ title }) => ({ text: title.toUpperCase(), isNumber: false }));
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...cells].map((line) => displayWidth(line[index]?.text ?? ''))),
  );
  const line = (parts: readonly Cell[]) => {
    const text = joined(parts, widths);
    return output.columns === undefined ? text : cutToWidth(text, output.columns);
  };
  output.write(`${output.style('bold', line(titles))}\n`);
  for (const row of cells) output.write(`${line(row)}\n`);
}

/** Writes names and their values, one pair a line. */
export function writePairs(output: Output, pairs: readonly (readonly [string, string | number])[]): void {
  const width = Math.max(...pairs.map(([name]) => displayWidth(name)));
  for (const [name, value] of pairs) {
    output.write(`${output.style('dim', name.padEnd(width))}${GAP}${printable(String(value))}\n`);
  }
}

interface Cell {
  readonly text: string;
  readonly isNumber: boolean;
}

function cellOf(value: string | number, isName = false): Cell {
  return {
    text: isName ? printableName(String(value)) : printable(String(value)),
    isNumber: typeof value === 'number',
  };
}

function joined(cells: readonly Cell[], widths: readonly number[]): string {
  return cells
    .map(({ text, isNumber }, index) => {
      const padding = ' '.repeat((widths[index] ?? 0) - displayWidth(text));
      return isNumber ? padding + text : text + padding;
    })
    .join(GAP)
    .trimEnd();
}
