import type { Awaitable, Hit } from '../core/resolver.ts';
import type { SearchHit } from '../core/search.ts';
import type { Corpus } from './corpus.ts';
import type { Filter } from './filter.ts';
import { hitOf } from './hits.ts';
import type { Verifier } from './verifier.ts';

/** Looks for words in the text of the docs just as they are written, parts of words too. Paths are relative to the docs; best first. */
export type LiteralSearch = (text: string, limit: number) => Awaitable<readonly Hit[]>;

/** As many as filters may choose from. */
export const LITERAL_HITS = 200;

export interface LiteralContext {
  readonly docs: Corpus;
  readonly filter: Filter;
  readonly verifier: Verifier;
  readonly limit: number;
}

/** What was found in the text, as far as the question lets it through. */
export function literalHits(
  found: readonly Hit[],
  { docs, filter, verifier, limit }: LiteralContext,
): SearchHit[] {
  const hits: SearchHit[] = [];
  for (const hit of found) {
    if (hits.length >= limit) break;
    const shown = shownHit(hit, hits.length + 1, docs, filter, verifier);
    if (shown !== undefined) hits.push(shown);
  }
  return hits;
}

function shownHit(
  { path, line, score, snippet }: Hit,
  rank: number,
  docs: Corpus,
  filter: Filter,
  verifier: Verifier,
): SearchHit | undefined {
  const source = docs.sourceAt(`/docs/${path}`);
  if (source === undefined || !filter.passes(source)) return undefined;
  const passages = docs.passagesOf(source.id);
  const passage = passages.find((one) => one.line <= line && line <= one.endLine) ?? passages[0];
  if (passage === undefined) return undefined;
  const ranks = { literal: rank };
  const hit = hitOf({ corpus: docs, passage, score, ranks, hops: [] }, verifier, new Map());
  return (
    hit && {
      ...hit,
      line,
      endLine: Math.max(line, hit.endLine),
      snippet: [...hit.headings.slice(-1), snippet].join(': '),
    }
  );
}
