import type { FrontMatter } from '../markdown/front-matter.ts';

const NAMING_KEYS = ['aliases', 'alias', 'slug', 'permalink', 'id', 'url', 'redirect_from'];

/** Further names by which links reach a document: its aliases, and the address that a site generator gives it. */
export function furtherNames({ data }: FrontMatter): string[] {
  const names: string[] = [];
  for (const key of NAMING_KEYS) {
    const value = data.get(key);
    for (const name of Array.isArray(value) ? value : [value]) {
      if (typeof name === 'string' && name.trim() !== '') names.push(name.trim());
    }
  }
  return names;
}
