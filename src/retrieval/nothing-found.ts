import { after } from '../core/awaitable.ts';
import { firstReadingText, type ReadSoFar } from '../core/first-reading.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { ParsedQuery, SearchEngine, SearchHit, SearchOptions } from '../core/search.ts';
import { unreadText } from '../core/unread-sources.ts';
import { cutText } from '../text/cut-text.ts';
import { printable } from '../text/printable.ts';
import { misreadFilters } from './language/misread-filters.ts';

/** Names of nodes that are spelt like a text, best first. */
export type SimilarNames = (text: string, limit: number) => Awaitable<readonly { readonly name: string }[]>;

export interface Hints {
  readonly engine: Pick<SearchEngine, 'search'>;
  readonly similar: SimilarNames;
  readonly readSoFar: ReadSoFar;
  /** As in the answer. */
  readonly unread?: readonly string[] | undefined;
  readonly empty?: readonly string[] | undefined;
}

/** What to say if nothing was found. */
export interface NothingFound {
  readonly lines: readonly string[];
  /** Hits that are mentioned but not shown: callers who may not see them must not learn what they are. */
  readonly beyond: readonly SearchHit[];
}

const MAX_NAMES = 5;
/** Names are short; longer text is a question. */
const MAX_NAME_LENGTH = 60;
const MAX_SHOWN_LENGTH = 200;

/** What to say if nothing was found, and what to try, as one sentence per line. */
export function nothingFound(
  query: string,
  parsed: ParsedQuery,
  { engine, similar, readSoFar, unread, empty = [] }: Hints,
  options: SearchOptions,
): Awaitable<NothingFound> {
  const said = `nothing found for "${cutText(printable(query).trim(), MAX_SHOWN_LENGTH)}"`;
  const words = parsed.text.trim();
  if (words === '' && !isNarrowed(parsed, options))
    return { lines: [`${said}; write what to look for`], beyond: [] };
  const read = readSoFar();
  const opening = [
    said,
    ...misreadFilters(query, parsed),
    ...empty.map(printable),
    ...(read === undefined ? [] : [firstReadingText(read)]),
    ...(unread === undefined ? [] : [printable(unreadText(unread))]),
  ];
  return after(hitsBeyond(parsed, engine, options), (beyond): Awaitable<NothingFound> => {
    const wider = `without what narrows it there is something: ${cutText(printable(words), MAX_SHOWN_LENGTH)}`;
    if (beyond.length > 0) return { lines: [...opening, wider], beyond };
    const names = words === '' || words.length > MAX_NAME_LENGTH ? [] : similar(words, MAX_NAMES);
    return after(names, (names) => ({
      lines: [
        ...opening,
        ...(names.length > 0
          ? [`names like it: ${names.map(({ name }) => printable(name)).join(', ')}`]
          : []),
        ...(words === '' ? [] : [`for a literal search: grep -rniF -- ${quoted(words)} docs`]),
      ],
      beyond,
    }));
  });
}

/** The best hit for the words alone, if filters and options narrow the search. */
function hitsBeyond(
  parsed: ParsedQuery,
  engine: Pick<SearchEngine, 'search'>,
  options: SearchOptions,
): Awaitable<readonly SearchHit[]> {
  if (parsed.text.trim() === '' || !isNarrowed(parsed, options)) return [];
  const wide: ParsedQuery = {
    ...parsed,
    phrases: [],
    excluded: [],
    types: [],
    tags: [],
    scopes: [],
    afterMs: undefined,
    beforeMs: undefined,
    related: [],
  };
  return after(engine.search(wide, { limit: 1 }), ({ hits }) => hits);
}

function isNarrowed(parsed: ParsedQuery, { scope = '/', pathPattern, contains }: SearchOptions): boolean {
  const lists = [parsed.phrases, parsed.excluded, parsed.types, parsed.tags, parsed.scopes, parsed.related];
  return (
    lists.some((list) => list.length > 0) ||
    parsed.afterMs !== undefined ||
    parsed.beforeMs !== undefined ||
    scope !== '/' ||
    pathPattern !== undefined ||
    contains !== undefined
  );
}

/** Quoted for a shell. */
function quoted(words: string): string {
  return `'${cutText(printable(words), MAX_SHOWN_LENGTH).replaceAll("'", "'\\''")}'`;
}
