import { sum } from '../../core/sum.ts';
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

/** The part of a line that a column may take, so that one long name does not push the other columns out of sight. */
const WIDEST_SHARE = 0.5;

/**
 * Writes rows below a line of titles. Where they are wider than the terminal, no column but the last is wider than half a line, and lines are cut at its end.
 * In a pipe nothing is cut.
 */
export function writeTable<Row>(output: Output, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const titles = columns.map(({ title }) => ({ text: title.toUpperCase(), isNumber: false }));
  const whole = [
    titles,
    ...rows.map((row) => columns.map(({ value, isName }) => cellOf(value(row), isName))),
  ];
  const lines = output.columns === undefined ? whole : fitted(whole, output.columns);
  const widths = widthsOf(lines);
  for (const [index, cells] of lines.entries()) {
    const text = joined(cells, widths);
    const shown = output.columns === undefined ? text : cutToWidth(text, output.columns);
    output.write(`${index === 0 ? output.style('bold', shown) : shown}\n`);
  }
}

function fitted(lines: readonly Cell[][], terminalColumns: number): readonly Cell[][] {
  const widths = widthsOf(lines);
  if (sum(widths) + GAP.length * (widths.length - 1) <= terminalColumns) return lines;
  const widest = Math.ceil(terminalColumns * WIDEST_SHARE);
  return lines.map((cells) =>
    cells.map((cell, index) =>
      index === cells.length - 1 ? cell : { ...cell, text: cutToWidth(cell.text, widest) },
    ),
  );
}

function widthsOf(lines: readonly Cell[][]): number[] {
  const [titles = []] = lines;
  return titles.map((_, index) => Math.max(...lines.map((line) => displayWidth(line[index]?.text ?? ''))));
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
