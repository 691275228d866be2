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

const INCLUDES =
  /--8<--|@include|\{!|\{%-?\s*(?:include|render|for|capture)\b|\{\{[<%#][^}\n]{0,80}(?:include|readfile|snippet)|\{\{\s*include|^import\s[^\n]{1,200}\.mdx?['"]|^:{3,}\s+(?:mkdocs-|[\w-]+\.[\w.-]+)|^#{1,6} [^\n]*(?:\{\{|\{%|<%)|^#{1,6} +<!--/m;

/** Whether parts of a document come from elsewhere, by one of the ways in which site generators include files. */
export function isOpenEnded(text: string): boolean {
  return INCLUDES.test(text);
}
