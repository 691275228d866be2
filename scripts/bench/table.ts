/** A line of a table: its cells, in the order of the columns. */
export type Row = readonly (string | number)[];

export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a markdown table below a heading. */
export function printTable(title: string, columns: readonly string[], rows: readonly Row[]): void {
  print(`### ${title}\n`);
  print(`| ${columns.join(' | ')} |`);
  print(`|${'---|'.repeat(columns.length)}`);
  for (const row of rows) print(`| ${row.join(' | ')} |`);
  print();
}

/** A time such as `12 ms`; below ten, with decimals. */
export function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en')}`;
}

/** A value as a multiple of the base. */
export function ratio(value: number, base: number): string {
  return `${(value / base).toFixed(2)} ×`;
}
