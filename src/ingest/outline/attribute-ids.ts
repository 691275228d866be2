// The lookahead keeps the regular expression from trying shorter ids: an id that was read is never given back in part.
const ATTRIBUTES = /(?<![{`$\\])\{:?\s*(?:#|id=["']?)(?=([A-Za-z][\w:.-]*))\1[^{}\n]*\}/g;

/** Ids that attribute lists give to paragraphs, list items, images and links: `text {#id}`, `{: #id .class }`. */
export function attributeIds(content: string): string[] {
  if (!content.includes('{')) return [];
  return Array.from(content.matchAll(ATTRIBUTES), ([, id = '']) => id);
}

const TERM = /^(.{1,200})\n: +\S/gm;

/** Ids that Hugo gives to the terms of definition lists. */
export function termIds(content: string): string[] {
  if (!content.includes('\n: ')) return [];
  return Array.from(content.matchAll(TERM), ([, term = '']) =>
    term
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  ).filter((id) => id !== '');
}
