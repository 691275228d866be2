import { isoTime, isTime } from '../core/iso-time.ts';
import type { SearchAnswer, SearchHit } from '../core/search.ts';

const SCORE_DIGITS = 4;

/** An answer in the form of JSON, for the command line and tools. */
export function answerView(query: string, { hits, unread }: Pick<SearchAnswer, 'hits' | 'unread'>) {
  return { query, hits: hits.map(hitView), ...(unread === undefined ? {} : { unread }) };
}

function hitView(hit: SearchHit) {
  const {
    path,
    line,
    endLine,
    kind,
    type,
    title,
    headings,
    retrievers,
    dateMs,
    stale,
    waits,
    hops,
    snippet,
    snippetLine,
  } = hit;
  return {
    path,
    line,
    end_line: endLine,
    kind,
    ...(type === undefined ? {} : { type }),
    title,
    headings,
    score: Number(hit.score.toFixed(SCORE_DIGITS)),
    retrievers,
    date: isTime(dateMs) ? isoTime(dateMs) : null,
    stale,
    ...(waits ? { waits } : {}),
    hops: hops.map(({ from, edgeType, to, evidence }) => ({
      from,
      edge_type: edgeType,
      to,
      ...(evidence === undefined ? {} : { evidence }),
    })),
    snippet,
    snippet_line: snippetLine ?? line,
  };
}
