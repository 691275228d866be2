import type { ParsedQuery } from '../../core/search.ts';

/** What `--strict` objects to in a query, with the place and the way out; undefined if the query is read as it is written. */
export function complaintOf(query: string, { problems }: Pick<ParsedQuery, 'problems'>): string | undefined {
  if (problems.length === 0) return undefined;
  const said = problems.map(({ column, message }) => `  column ${column}: ${message}`);
  return [`--strict: the query is not what it looks like: ${query}`, ...said].join('\n');
}
