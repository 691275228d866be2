import type { OutlineLink } from '../../core/outline.ts';
import type { MarkdownSource } from '../markdown/source.ts';
import type { SourceLines } from './source-lines.ts';

const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s/;
const WIKILINK = /(!?)\[\[([^[\]|\n`]{1,500})(?:\|[^[\]\n]*)?\]\]/g;

/**
 * Wikilinks in a list that is indented too far. For CommonMark that is code, but an author who writes wikilinks there means a list, and wikis show it as one.
 */
export function indentedListLinks(
  { tokens, bodyLine }: MarkdownSource,
  lines: SourceLines,
  sectionAt: (line: number) => number,
): OutlineLink[] {
  const links: OutlineLink[] = [];
  for (const { type, map, content } of tokens) {
    if (type !== 'code_block' || map === null || !content.includes('[[') || !LIST_ITEM.test(content))
      continue;
    for (let line = map[0] + bodyLine; line < map[1] + bodyLine; line += 1) {
      for (const { index, 1: mark, 2: target = '' } of lines.at(line).matchAll(WIKILINK)) {
        const kind = mark === '!' ? 'embed' : 'wikilink';
        links.push({ kind, target: target.trim(), line, column: index + 1, section: sectionAt(line) });
      }
    }
  }
  return links;
}
