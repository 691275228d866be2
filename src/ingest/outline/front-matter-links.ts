import type { OutlineLink } from '../../core/outline.ts';
import type { FrontMatter } from '../markdown/front-matter.ts';
import type { SourceLines } from './source-lines.ts';

/** Keys whose values name other documents, without `-` and `_`. */
const LINKING_KEYS = new Set(
  'dependson parent childof parentof children related relatedto seealso supersedes supersededby requires references next previous prev up links amends implements'.split(
    ' ',
  ),
);

const PATH = /^\.{0,2}\/?(?:[\w. -]+\/)*[\w. -]+\.(?:md|mdx|markdown)(?:#\S+)?$/;
const WIKILINK = /^!?\[\[([^[\]|\n]{1,500})(?:\|[^[\]\n]*)?\]\]$/;

/** Paths and wikilinks in values of front matter. A path counts only under a key that is for links. */
export function frontMatterLinks({ data, keyLines }: FrontMatter, lines: SourceLines): OutlineLink[] {
  const links: OutlineLink[] = [];
  for (const [key, value] of data) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    let line = keyLines.get(key) ?? 1;
    const takesPaths = LINKING_KEYS.has(key.toLowerCase().replace(/[-_]/g, ''));
    for (const item of values) {
      const target = typeof item === 'string' ? linkTarget(item.trim(), takesPaths) : undefined;
      if (target === undefined) continue;
      line = lineWith(lines, target, line);
      const column = Math.max(lines.at(line).indexOf(target), 0) + 1;
      links.push({ kind: 'front-matter', target, line, column, section: -1 });
    }
  }
  return links;
}

/** The target of a link. A wikilink keeps its brackets, to be told from a path. */
function linkTarget(text: string, takesPaths: boolean): string | undefined {
  if (WIKILINK.test(text)) return text.replace(/^!/, '');
  return takesPaths && PATH.test(text) ? text : undefined;
}

const MAX_LINES = 200;

function lineWith(lines: SourceLines, target: string, from: number): number {
  for (let line = from; line < from + MAX_LINES; line += 1) if (lines.at(line).includes(target)) return line;
  return from;
}
