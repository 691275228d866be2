import { parseDocument } from 'yaml';
import type { Template } from './templates.ts';

/** A name as a file is called: `Use PostgreSQL` to `use-postgresql`; empty where nothing of it can be. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
}

/** The text of a new document. @param values by name; those of `set` that the template has no place for become keys of front matter */
export function fillTemplate(
  { text }: Template,
  values: Readonly<Record<string, string>>,
  set: ReadonlyMap<string, string>,
): string {
  const all = new Map([...Object.entries(values), ...set]);
  const used = new Set<string>();
  const block = /^---\n[\s\S]*?\n---(?:\n|$)/.exec(text)?.[0] ?? '';
  const fill = (part: string, isFront: boolean) =>
    part.replace(/\{\{ *([\w-]+) *\}\}/g, (whole, key: string) => {
      const value = all.get(key);
      if (value === undefined) return whole;
      used.add(key);
      return isFront ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : value;
    });
  const filled = fill(block, true) + fill(text.slice(block.length), false);
  const rest = [...set].filter(([key]) => !used.has(key));
  return rest.length === 0 ? filled : withFields(filled, rest);
}

function withFields(text: string, fields: readonly (readonly [string, string])[]): string {
  const block = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text);
  const document = parseDocument(block?.[1] ?? '');
  for (const [key, value] of fields) document.set(key, value);
  return `---\n${document.toString()}---\n${block === null ? `\n${text}` : text.slice(block[0].length)}`;
}
