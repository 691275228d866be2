import { z } from 'zod';
import type { OpContext } from '../core/resolver.ts';
import type { SearchHit, SearchOptions } from '../core/search.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import type { Found, Toolbox } from './tool.ts';

export const TOP_K = z.int().min(1).max(20).default(8).describe('how many hits at most');

/** Hits of a query, as tools show them. */
export async function searched(
  query: string,
  { offset, ...options }: SearchOptions & { readonly offset: number },
  { search }: Pick<Toolbox, 'search'>,
  { signal }: OpContext,
): Promise<Found> {
  const { hits, named } = await search.search(parseQuery(query), {
    ...options,
    limit: offset + options.limit,
    ...(signal ? { signal } : {}),
  });
  return { fields: { named }, list: { name: 'hits', items: hits.slice(offset).map(hitView), offset } };
}

/** A hit, as a model is shown it. */
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
    headings: headings.join(' › '),
    retrievers,
    ...(hops.length > 0 ? { hops: hops.map(({ from, edgeType, to }) => `${from} ${edgeType} ${to}`) } : {}),
    date: new Date(dateMs).toISOString().slice(0, 10),
    stale,
    ...(waits ? { waits: 'for review: nobody has accepted it' } : {}),
    snippet,
  };
}
