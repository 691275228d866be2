import type { Outline } from '../core/outline.ts';

/**
 * Index of the innermost section that an anchor of a document lies in: -1 above the first heading. By id; else by a heading's text, as
 * wikilinks name it.
 * @returns undefined where the document has no such anchor
 */
export function sectionOfAnchor(outline: Outline, anchor: string): number | undefined {
  const { sections, anchors } = outline;
  const exact = sections.findIndex((section) => section.anchor === anchor);
  if (exact !== -1) return exact;
  const place = anchors.find((known) => known.anchor === anchor);
  if (place !== undefined) return sections.findLastIndex(({ line }) => line <= place.line);
  if (anchor.startsWith('^')) return undefined;
  const folded = fold(anchor);
  const alike = sections.findIndex(
    (section) => fold(section.anchor) === folded || fold(section.title) === folded,
  );
  return alike === -1 ? undefined : alike;
}

/** Letters and digits alone: what is left of a heading in each form that a link gives it. */
function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
