import type { OutlineLink } from '../../core/outline.ts';
import type { MarkdownSource } from '../markdown/source.ts';
import type { SourceLines } from './source-lines.ts';

/** Link definitions as links, at their own places. Footnotes are left out. */
export function definitionLinks(
  { places, bodyLine }: MarkdownSource,
  lines: SourceLines,
  sectionAt: (line: number) => number,
): OutlineLink[] {
  return places.definitions.flatMap(({ label, target, line: bodyIndex }) => {
    if (label.startsWith('^') || target === '') return [];
    const line = bodyIndex + bodyLine;
    const column = lines.at(line).indexOf('[') + 1;
    return [{ kind: 'definition', target, line, column: Math.max(column, 1), section: sectionAt(line) }];
  });
}
