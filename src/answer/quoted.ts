import type { SearchHit } from '../core/search.ts';
import { plainLines } from '../retrieval/plain-text.ts';

/** A passage as an answer quotes it. */
export interface Quote {
  /** As evidence names it, where it is in the docs: `charges/create-charge.md:31`; else a path of the mount. */
  readonly place: string;
  /** The title of the document and the headings it stands under, outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
}

const ELLIPSIS = '…';
/** So much of the beginning tells one line from another. */
const TELLING_LENGTH = 40;

/** What a hit says, and the line in which that begins. @param text of the passage, from its first line on; undefined where that is not known */
export function quoteOf(hit: SearchHit, text: string | undefined): Quote {
  const { path, line, headings, snippet } = hit;
  const said = withoutHeadings(snippet, headings).replace(/\s+/g, ' ').trim();
  const first = line + Math.max(0, lineOf(said, text ?? ''));
  return { place: placeOf({ path, line: line > 0 ? first : line }), headings: titled(hit), text: said };
}

/** "Example" and "Attributes" alone do not say of what. */
function titled({ kind, path, title, headings }: SearchHit): readonly string[] {
  const [first] = headings;
  const isNamed = first?.toLowerCase() === title.toLowerCase() || path.endsWith(`/${title}`);
  return kind === 'document' && !isNamed ? [title, ...headings] : headings;
}

/** A snippet begins with all headings, or the last one as far as there is room. */
function withoutHeadings(snippet: string, headings: readonly string[]): string {
  const all = headings.join(' › ');
  for (const beginning of [all, headings.at(-1) ?? '']) {
    if (beginning !== '' && snippet.startsWith(`${beginning}: `)) return snippet.slice(beginning.length + 2);
  }
  return snippet === all ? '' : snippet;
}

/** Index of the line in which a quote begins; where no words of it do, as a snippet may join lines in its own way, of one that it begins with; -1 for none. */
function lineOf(said: string, text: string): number {
  const beginning = said.replace(/^…/, '').slice(0, TELLING_LENGTH).replace(ELLIPSIS, '').trim();
  if (beginning === '') return -1;
  const lines = plainLines(text);
  const exact = lines.findIndex((line, index) => {
    const at = line === '' ? -1 : from(lines, index, line.length + beginning.length).indexOf(beginning);
    return at !== -1 && at < line.length;
  });
  return exact === -1 ? lines.findIndex((line) => line !== '' && said.startsWith(line)) : exact;
}

/** What the lines from one on say, as one text of at least this length, where there is so much. */
function from(lines: readonly string[], first: number, length: number): string {
  let text = '';
  for (let index = first; index < lines.length && text.length <= length; index += 1) {
    const line = lines[index] ?? '';
    if (line !== '') text += text === '' ? line : ` ${line}`;
  }
  return text;
}

/** As evidence names it, where it is in the docs. */
function placeOf({ path, line }: Pick<SearchHit, 'path' | 'line'>): string {
  const place = path.replace(/^\/docs\//, '');
  return line > 0 ? `${place}:${line}` : place;
}
