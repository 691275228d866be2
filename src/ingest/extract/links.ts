/**
 * Links to other documents: inline and reference-style links, wikilinks and embeds, `href` of elements. A target is
 * resolved against the document's folder, or the docs root where it begins with a slash; which file it means is the
 * projection's to say, since an ending may be missing.
 */

import type { NodeKey } from '../../core/graph-model.ts';
import { linkKey, wikiKey } from '../../core/identity.ts';
import { lineAt, type Mark, type RichText } from '../markdown/rich-text.ts';

export interface Link {
  readonly target: NodeKey;
  readonly line: number;
}

/** Links of a text to other documents; those within the document and to other sites are left out. */
export function findLinks(text: RichText, path: string): Link[] {
  const links: Link[] = [];
  for (const mark of text.marks) {
    const target = targetOf(mark, path);
    if (target !== undefined) links.push({ target, line: lineAt(text, mark.start) });
  }
  return links;
}

function targetOf(mark: Mark, path: string): NodeKey | undefined {
  switch (mark.kind) {
    case 'wikilink':
      return targetOfWikilink(mark.target, path);
    case 'link':
      return targetOfUrl(mark.target, path);
    case 'image':
      return /\.(?:mdx?|markdown)(?:[#?]|$)/i.test(mark.target) ? targetOfUrl(mark.target, path) : undefined;
    case 'tag':
      return targetOfUrl(mark.attributes.get('href') ?? mark.attributes.get('to') ?? '', path);
    default:
      return undefined;
  }
}

/** `[[Page]]`, `[[folder/Page#heading]]`, `[[Page@12]]`, `[[./Page]]`. */
export function targetOfWikilink(target: string, path: string): NodeKey | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) return undefined;
  const name = target.replace(/[#@$^].*$/, '').trim();
  if (name === '') return undefined;
  if (/^\.\.?\//.test(name)) {
    const resolved = resolvePath(name, path);
    return resolved === undefined ? undefined : linkKey(resolved);
  }
  return wikiKey(name);
}

/** A relative or root-absolute URL; undefined for another site, an anchor or a path above the docs root. */
export function targetOfUrl(url: string, path: string): NodeKey | undefined {
  const target = url.trim();
  if (target === '' || target.startsWith('#') || target.startsWith('?') || target.startsWith('//'))
    return undefined;
  if (/^[a-z][a-z\d+.-]*:/i.test(target) || /[{}<>\n]/.test(target)) return undefined;
  const resolved = resolvePath(decode(target.replace(/[#?].*$/, '')), path);
  return resolved === undefined || resolved === '' ? undefined : linkKey(resolved);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** @returns undefined where `..` leads above the docs root */
function resolvePath(target: string, from: string): string | undefined {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
