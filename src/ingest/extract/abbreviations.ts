/** Short forms that a document introduces for names: `the write-ahead log (WAL)`. After that it mostly uses the short form. */
import type { MarkdownDocument } from '../markdown/document.ts';
import { conceptKeyOf } from './names.ts';

export interface Abbreviation {
  readonly short: string;
  /** The key of the name that the short form stands for. */
  readonly key: string;
}

const BRACKET = /\((\p{Lu}[\p{Lu}\d]{1,5})s?\)/gu;

/** The short forms of a document, each with the first name that the document gives it to. */
export function findAbbreviations({ sections }: MarkdownDocument): Abbreviation[] {
  const found = new Map<string, Abbreviation>();
  const read = (text: string) => {
    for (const match of text.matchAll(BRACKET)) {
      const short = match[1] ?? '';
      const long = longForm(text.slice(Math.max(0, match.index - 80), match.index), short);
      if (long !== undefined && !found.has(short)) found.set(short, { short, key: conceptKeyOf(long) });
    }
  };
  for (const { title, blocks } of sections) {
    read(title);
    for (const block of blocks) if (block.kind === 'paragraph') read(block.text.text);
  }
  return [...found.values()];
}

/** The words directly before the bracket that begin with the letters of the short form. */
function longForm(before: string, short: string): string | undefined {
  const starts = [...before.matchAll(/[\p{L}\d]+/gu)].slice(-short.length);
  const initials = starts.map(([word]) => word.charAt(0).toUpperCase()).join('');
  if (initials !== short || !/^[\p{L}\d\s-]*$/u.test(before.slice(starts[0]?.index))) return undefined;
  return before.slice(starts[0]?.index).trim();
}
