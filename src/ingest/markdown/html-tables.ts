/**
 * Tables that are written in HTML, as editors do if a column has a width. If the first row is a header, it says what the columns contain, and the table is read
 * like any other. A table without a header is often mere layout, and stays text.
 */
import type { Table, TableRow } from './document.ts';
import { flatten } from './inline.ts';
import type { Token } from './parser.ts';
import { type RichText, trimmed } from './rich-text.ts';

/** Whether the source of a block can contain a table. Asked for every paragraph. */
export function mayHoldTable(source: string): boolean {
  return source.includes('<table') || source.includes('<TABLE');
}

/**
 * The text of a paragraph and the tables in it, in order. A table that ends in another paragraph stays text.
 * @param line the line of the file at which the paragraph begins, from 1
 */
export function splitAtTables(tokens: readonly Token[], line: number): (RichText | Table)[] {
  const pieces: (RichText | Table)[] = [];
  let from = 0;
  let fromLine = line;
  let at = line;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) continue;
    const end = isTag(token, 'table', 'open') ? endOfTable(tokens, index) : -1;
    const table = end === -1 ? undefined : readHtmlTable(tokens.slice(index, end), at);
    if (table === undefined) {
      at += newlinesOf(token);
      continue;
    }
    pieces.push(...textOf(tokens.slice(from, index), fromLine), table);
    for (const read of tokens.slice(index, end + 1)) at += newlinesOf(read);
    index = end;
    from = end + 1;
    fromLine = at;
  }
  return [...pieces, ...textOf(tokens.slice(from), fromLine)];
}

function textOf(tokens: readonly Token[], line: number): RichText[] {
  const text = flatten(tokens, line);
  return text.text.trim() === '' && text.marks.length === 0 ? [] : [text];
}

/** Where the table that begins at `start` closes; -1 if it does not close, or if there is a table within it. */
function endOfTable(tokens: readonly Token[], start: number): number {
  for (let next = start + 1; next < tokens.length; next += 1) {
    const token = tokens[next];
    if (token !== undefined && isTag(token, 'table')) return token.info === 'close' ? next : -1;
  }
  return -1;
}

interface OpenRow {
  readonly cells: RichText[];
  readonly line: number;
  isHeader: boolean;
}

interface OpenCell {
  readonly tokens: Token[];
  readonly line: number;
}

function readHtmlTable(tokens: readonly Token[], line: number): Table | undefined {
  const rows: OpenRow[] = [];
  let cell: OpenCell | undefined;
  let at = line;
  const closeCell = () => {
    if (cell !== undefined) rows.at(-1)?.cells.push(trimmed(flatten(cell.tokens, cell.line)));
    cell = undefined;
  };
  for (const token of tokens) {
    if (isTag(token, 'tr')) {
      closeCell();
      if (token.info === 'open') rows.push({ cells: [], line: at, isHeader: true });
    } else if (isTag(token, 'th') || isTag(token, 'td')) {
      closeCell();
      const row = rows.at(-1);
      if (row !== undefined && token.info === 'open') {
        cell = { tokens: [], line: at };
        row.isHeader &&= token.tag.toLowerCase() === 'th';
      }
    } else cell?.tokens.push(token);
    at += newlinesOf(token);
  }
  closeCell();
  const [header, ...body] = rows.filter(({ cells }) => cells.length > 0);
  if (header === undefined || !header.isHeader) return undefined;
  const read: TableRow[] = body.map(({ cells, line: rowLine }) => ({ cells, line: rowLine }));
  return { kind: 'table', header: header.cells, rows: read, line: header.line };
}

function isTag(token: Token, name: string, info?: string): boolean {
  return (
    token.type === 'tag' &&
    token.tag.toLowerCase() === name &&
    (info === undefined ? token.info !== 'void' : token.info === info)
  );
}

function newlinesOf({ type, meta }: Token): number {
  if (type === 'softbreak' || type === 'hardbreak') return 1;
  const newlines = meta?.['newlines'];
  return typeof newlines === 'number' ? newlines : 0;
}
