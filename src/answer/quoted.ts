import { documentAt } from '../core/docs-selection.ts';
import { BETWEEN_HEADINGS } from '../core/headings.ts';
import type { SearchHit } from '../core/search.ts';

/** A passage in the form in which an answer quotes it. */
export interface Quote {
  /** For docs the place in the form of evidence, `charges/create-charge.md:31`; else a path of the mount. */
  readonly place: string;
  /** The title of the document and the headings above the passage, outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** The text of a hit, and the line in which it begins. */
export function quoteOf(hit: SearchHit): Quote {
  const { path, line, snippetLine = line, headings, snippet } = hit;
  const text = withoutHeadings(snippet, headings).replace(/\s+/g, ' ').trim();
  return { place: placeOf({ path, line: snippetLine }), headings: titled(hit), text };
}

/** "Example" and "Attributes" alone do not say of what. */
function titled({ kind, path, title, headings }: SearchHit): readonly string[] {
  const [first] = headings;
  const isNamed = first?.toLowerCase() === title.toLowerCase() || path.endsWith(`/${title}`);
  return kind === 'document' && !isNamed ? [title, ...headings] : headings;
}

/** A snippet begins with all headings, or with the last one as far as there is room. */
function withoutHeadings(snippet: string, headings: readonly string[]): string {
  const all = headings.join(BETWEEN_HEADINGS);
  for (const beginning of [all, headings.at(-1) ?? '']) {
    if (beginning !== '' && snippet.startsWith(`${beginning}: `)) return snippet.slice(beginning.length + 2);
  }
  return snippet === all ? '' : snippet;
}

/** For docs, the place in the form of evidence. */
function placeOf({ path, line }: Pick<SearchHit, 'path' | 'line'>): string {
  const place = documentAt(path) ?? path;
  return line > 0 ? `${place}:${line}` : place;
}
