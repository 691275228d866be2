import type { SearchHit } from '../core/search.ts';
import { plainText } from '../retrieval/plain-text.ts';

/** A passage as an answer quotes it. */
export interface Quote {
  /** As evidence names it, where it is in the docs: `charges/create-charge.md:31`; else a path of the mount. */
  readonly place: string;
  /** The headings it stands under, outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
}

const ELLIPSIS = '…';
/** So much of the beginning tells one line from another. */
const TELLING_LENGTH = 40;

/** What a hit says, and the line in which that begins. @param text of the passage, from its first line on; undefined where that is not known */
export function quoteOf({ path, line, headings, snippet }: SearchHit, text: string | undefined): Quote {
  const said = withoutHeadings(snippet, headings).replace(/\s+/g, ' ').trim();
  const first = line + Math.max(0, lineOf(said, text ?? ''));
  return { place: placeOf({ path, line: line > 0 ? first : line }), headings, text: said };
}

/** A snippet begins with all headings, or the last one as far as there is room. */
function withoutHeadings(snippet: string, headings: readonly string[]): string {
  const all = headings.join(' › ');
  for (const beginning of [all, headings.at(-1) ?? '']) {
    if (beginning !== '' && snippet.startsWith(`${beginning}: `)) return snippet.slice(beginning.length + 2);
  }
  return snippet === all ? '' : snippet;
}

/** Index of the line of which a quote is, or with which it begins; -1 where there is none. */
function lineOf(said: string, text: string): number {
  const beginning = said.replace(/^…/, '').slice(0, TELLING_LENGTH).replace(ELLIPSIS, '');
  if (beginning === '') return -1;
  return text.split('\n').findIndex((line) => {
    const plain = plainText(line);
    return plain !== '' && (said.startsWith(plain) || plain.includes(beginning));
  });
}

/** As evidence names it, where it is in the docs. */
function placeOf({ path, line }: Pick<SearchHit, 'path' | 'line'>): string {
  const place = path.replace(/^\/docs\//, '');
  return line > 0 ? `${place}:${line}` : place;
}
