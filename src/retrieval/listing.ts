import type { ParsedQuery } from '../core/search.ts';
import type { Corpus, SearchedSource } from './corpus.ts';
import type { Filter } from './filter.ts';
import type { RankedPassage } from './ranking.ts';

/** More are listed than wanted, since some may turn out to contain something that they must not. */
const SPARE_SOURCES = 100;

/** Whether a query has filters but no words: then everything that passes the filters is listed. */
export function isListing({ text, types, tags, scopes, related, afterMs, beforeMs }: ParsedQuery): boolean {
  const filters = types.length + tags.length + scopes.length + related.length;
  return text === '' && (filters > 0 || afterMs !== undefined || beforeMs !== undefined);
}

/** Everything that passes, each by its first passage: newest first, then by path. */
export function listed(corpora: readonly Corpus[], filter: Filter, limit: number): RankedPassage[] {
  const passing: { readonly corpus: Corpus; readonly source: SearchedSource }[] = [];
  for (const corpus of corpora) {
    for (const source of corpus.sources()) if (filter.passes(source)) passing.push({ corpus, source });
  }
  passing.sort(
    ({ source: a }, { source: b }) => b.dateMs - a.dateMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  );
  return passing.slice(0, limit + SPARE_SOURCES).flatMap(({ corpus, source }): RankedPassage[] => {
    const [passage] = corpus.passagesOf(source.id);
    return passage === undefined ? [] : [{ corpus, passage, hops: [] }];
  });
}
