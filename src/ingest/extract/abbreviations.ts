/** Short forms that a document introduces for names: `the write-ahead log (WAL)`, `WAL (write-ahead log)`. After that it mostly uses the short form. */
import type { NodeKey } from '../../core/graph-model.ts';
import { initialsOf } from '../../text/initials.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { lineAt } from '../markdown/rich-text.ts';
import { withoutBracketsAtEnd } from './brackets.ts';
import { STOP_WORDS } from './clause.ts';
import { conceptKeyOf, isTelling } from './names.ts';

export interface Abbreviation {
  readonly short: string;
  /** The name that the short form stands for, as the text writes it. */
  readonly long: string;
  /** The key of that name. */
  readonly key: NodeKey;
  /** The line that introduces the short form. */
  readonly line: number;
}

const SHORT_IN_BRACKETS = /\((\p{Lu}[\p{Lu}\d]{1,5})s?\)/gu;
const LONG_IN_BRACKETS = /(?<![\p{L}\d.-])(\p{Lu}[\p{Lu}\d]{1,5})s?\s\((\p{L}[\p{L}\d\s-]{3,80})\)/gu;

/** The short forms of a document, each with the first name that the document gives it to. */
export function findAbbreviations({ sections }: MarkdownDocument): Abbreviation[] {
  const found = new Map<string, Abbreviation>();
  const read = (text: string, lineOf: (index: number) => number) => {
    if (!text.includes('(')) return;
    const add = (short: string, long: string | undefined, index: number) => {
      if (long === undefined || found.has(short) || !isNameOfThing(long)) return;
      found.set(short, { short, long, key: conceptKeyOf(long), line: lineOf(index) });
    };
    for (const { index, 1: short = '' } of text.matchAll(SHORT_IN_BRACKETS))
      add(short, longForm(text.slice(Math.max(0, index - 80), index), short), index);
    for (const { index, 1: short = '', 2: long = '' } of text.matchAll(LONG_IN_BRACKETS))
      if (initialsOf(long) === short) add(short, long, index);
  };
  for (const { title, line, blocks } of sections) {
    read(title, () => line);
    for (const block of blocks) {
      if (block.kind === 'paragraph') read(block.text.text, (index) => lineAt(block.text, index));
      if (block.kind === 'table')
        for (const row of block.rows) read(row.cells[0]?.text ?? '', () => row.line);
    }
  }
  return [...found.values()];
}

/** A term without the short form behind it: `Write-Ahead Log (WAL)`. Other things in brackets are kept. */
export function withoutShortForm(term: string): string {
  const long = withoutBracketsAtEnd(term);
  const short = /^\s*\((\p{Lu}[\p{Lu}\d]{1,5})s?\)\s*$/u.exec(term.slice(long.length))?.[1];
  return short !== undefined && longForm(long, short) === long.trim() ? long : term;
}

/** The words directly before the bracket that begin with the letters of the short form. */
function longForm(before: string, short: string): string | undefined {
  const words = [...before.matchAll(/[\p{L}\d]+/gu)].slice(-short.length);
  const long = before.slice(words[0]?.index).trim();
  return initialsOf(long) === short && /^[\p{L}\d\s-]*$/u.test(long) ? long : undefined;
}

/** Whether words can be a name, and are no beginning of a clause: `ID (if denied)`. */
function isNameOfThing(long: string): boolean {
  const [first = ''] = long.toLowerCase().split(/[\s-]/, 1);
  return isTelling(long) && !STOP_WORDS.has(first);
}
