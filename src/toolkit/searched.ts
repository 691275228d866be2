import { z } from 'zod';
import { firstReadingText } from '../core/first-reading.ts';
import { BETWEEN_HEADINGS } from '../core/headings.ts';
import { isoDay } from '../core/iso-time.ts';
import type { OpContext } from '../core/resolver.ts';
import type { ParsedQuery, SearchAnswer, SearchHit, SearchOptions } from '../core/search.ts';
import { unreadText } from '../core/unread-sources.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import type { Found, Toolbox } from './tool.ts';

const MAX_PROBLEMS = 5;

export const TOP_K = z.int().min(1).max(20).default(8).describe('how many hits at most');

/** The hits of a query in the form that tools show. */
export async function searched(
  query: string,
  { offset, ...options }: SearchOptions & { readonly offset: number },
  { search, readSoFar }: Pick<Toolbox, 'search' | 'readSoFar'>,
  { signal }: OpContext,
): Promise<Found> {
  const parsed = parseQuery(query);
  const answer = await search.search(parsed, {
    ...options,
    limit: offset + options.limit,
    ...(signal ? { signal } : {}),
  });
  const { hits, named } = answer;
  return {
    fields: { named, ...readAsText(parsed), ...whyNotAll(answer, readSoFar) },
    list: { name: 'hits', items: hits.slice(offset).map(hitView), offset },
  };
}

/** Parts of a query that look like a filter or a phrase but are neither, so that nobody takes the hits for what a filter has left. */
export function readAsText({ problems }: ParsedQuery): { readonly read_as_text?: readonly string[] } {
  if (problems.length === 0) return {};
  return {
    read_as_text: problems
      .slice(0, MAX_PROBLEMS)
      .map(({ column, message }) => `column ${column}: ${message}`),
  };
}

/** Says that something was not found that may be found in a moment, so that nobody takes that for a no. */
export function whyNotAll(
  { hits, unread }: Pick<SearchAnswer, 'hits' | 'unread'>,
  readSoFar: Toolbox['readSoFar'],
): { readonly hits_note?: string } {
  const read = hits.length === 0 ? readSoFar() : undefined;
  const notes = [
    ...(read === undefined ? [] : [firstReadingText(read)]),
    ...(unread === undefined ? [] : [unreadText(unread)]),
  ];
  return notes.length === 0 ? {} : { hits_note: notes.join('; ') };
}

/** A hit in the form that a model is shown. */
export function hitView({
  path,
  line: firstLine,
  snippetLine: line = firstLine,
  kind,
  headings,
  retrievers,
  hops,
  stale,
  waits,
  snippet,
  dateMs,
}: SearchHit) {
  return {
    path: line > 0 ? `${path}:${line}` : path,
    kind,
    headings: headings.join(BETWEEN_HEADINGS),
    retrievers,
    ...(hops.length > 0 ? { hops: hops.map(({ from, edgeType, to }) => `${from} ${edgeType} ${to}`) } : {}),
    date: isoDay(dateMs),
    stale,
    ...(waits ? { waits: 'for review: nobody has accepted it' } : {}),
    snippet,
  };
}
