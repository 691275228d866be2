import { parseDocument } from 'yaml';
import type { Template } from './templates.ts';

const MAX_SLUG_LENGTH = 80;
/** Between two words, or within a letter that is two characters long. */
const ENDS_IN_A_CUT = /-*[\uD800-\uDBFF]?$/u;
/** With lines that end as those of the template do. */
const FRONT_MATTER = /^---\r?\n([\s\S]*?)(\r?\n)---(?:\r?\n|$)/;

/** A name as a file is called: `Use PostgreSQL` to `use-postgresql`; empty where nothing of it can be. */
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

/** The text of a new document. @param values by name; those of `set` that the template has no place for become keys of front matter */
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
