import type { ParsedQuery } from '../../core/search.ts';
import { printable } from '../../text/printable.ts';
import { itemsOf } from './items.ts';
import { isFilter } from './parse-query.ts';

/**
 * Says of each part of a query that has the name of a filter, and cannot be one as it is written, that it counts as words, and why. Nothing is said of other
 * words with a colon, as in `error:404`, which are most often meant as words.
 */
export function misreadFilters(query: string, { problems }: Pick<ParsedQuery, 'problems'>): string[] {
  if (problems.length === 0) return [];
  const filters = new Map(
    Array.from(itemsOf(query)).flatMap(({ name, column, source }) =>
      name !== undefined && isFilter(name) ? [[column, source] as const] : [],
    ),
  );
  return problems.flatMap(({ column, message }) => {
    const source = filters.get(column);
    return source === undefined ? [] : printable(`${source} counts as words: ${message}`);
  });
}
