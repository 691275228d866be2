import { parseDocument } from 'yaml';
import type { Template } from './templates.ts';

const MAX_SLUG_LENGTH = 80;
/** A cut may fall between two words, or within a character of two UTF-16 units; this matches what it leaves at the end. */
const ENDS_IN_A_CUT = /-*[\uD800-\uDBFF]?$/u;
/** Captures the line ending, so that lines can be added with the template's own. */
const FRONT_MATTER = /^---\r?\n([\s\S]*?)(\r?\n)---(?:\r?\n|$)/;

/** The name as a file name: `Use PostgreSQL` becomes `use-postgresql`. Empty if nothing of it can be used. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(ENDS_IN_A_CUT, '');
}

/** The text of a new document. @param values values by name. Those of `set` without a place in the template become keys of front matter */
export function fillTemplate(
  { text }: Template,
  values: Readonly<Record<string, string>>,
  set: ReadonlyMap<string, string>,
): string {
  const all = new Map([...Object.entries(values), ...set]);
  const used = new Set<string>();
  const block = FRONT_MATTER.exec(text)?.[0] ?? '';
  const fill = (part: string, written: (value: string) => string) =>
    part.replace(/\{\{ *([\w-]+) *\}\}/g, (whole, key: string) => {
      const value = all.get(key);
      if (value === undefined) return whole;
      used.add(key);
      return written(value);
    });
  const filled = fill(block, withinQuotes) + fill(text.slice(block.length), (value) => value);
  const rest = [...set].filter(([key]) => !used.has(key));
  return rest.length === 0 ? filled : withFields(filled, rest);
}

function withinQuotes(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function withFields(text: string, fields: readonly (readonly [string, string])[]): string {
  const [block = '', front = '', lineEnd = '\n'] = FRONT_MATTER.exec(text) ?? [];
  const document = parseDocument(front);
  for (const [key, value] of fields) document.set(key, value);
  const made = `---\n${document.toString()}---\n${block === '' ? '\n' : ''}`;
  return made.replaceAll('\n', lineEnd) + text.slice(block.length);
}
