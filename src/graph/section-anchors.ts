import type { Outline } from '../core/outline.ts';

/**
 * The index of the innermost section that contains an anchor of a document, or -1 above the first heading. Anchors are compared with ids, then with
 * the texts of headings, which wikilinks use.
 * @returns undefined if the document has no such anchor
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

/** Only letters and digits, which is what all forms of a heading in links have in common. */
function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
