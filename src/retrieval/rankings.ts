import { mountPathOf } from '../core/docs-selection.ts';
import type { ParsedQuery, SearchOptions } from '../core/search.ts';
import type { SearchWeights } from '../settings/search.ts';
import type { Allowed } from './candidates.ts';
import type { Concept, Vocabulary } from './concepts.ts';
import type { Corpus } from './corpus.ts';
import { spread, withStatements } from './graph.ts';
import type { GraphView } from './graph-view.ts';
import { bestFor, type RankedSource, rankSources } from './keyword.ts';
import { questionParts } from './question-parts.ts';
import { keyOf, passagesOf, type Ranking } from './ranking.ts';
import { askedTime, byTime } from './recency.ts';

/** What is needed to answer one question. */
export interface Asked {
  readonly query: ParsedQuery;
  readonly options: SearchOptions;
  readonly corpora: readonly Corpus[];
  readonly vocabulary: Vocabulary;
  readonly allowed: Allowed;
  readonly concepts: readonly Concept[];
  /** The concepts of a part of the question. */
  readonly conceptsOf: (part: string) => readonly Concept[];
}

export interface RankingOptions {
  readonly weights: SearchWeights;
  readonly feedback: boolean;
  /** Undefined if the graph is not to be used. */
  readonly graph: GraphView | undefined;
}

/** The results of the retrievers that do not have to wait for anything. */
export interface Rankings {
  readonly rankings: readonly Ranking[];
  /** If the question has several parts: keys of the best passage for each. */
  readonly bestOfParts: readonly string[];
}

/** Links are followed this far, unless the caller says otherwise: measured, see docs/decisions.md. */
const USUAL_DEPTH = 1;
const MAX_DEPTH = 5;
/** How many of the best passages are also ordered by time. */
const MAX_DATED = 30;

export function rankingsFor(asked: Asked, { weights, feedback, graph }: RankingOptions): Rankings {
  const { query, options, corpora, vocabulary, allowed, concepts } = asked;
  const sources = rankSources(concepts, corpora, vocabulary, { question: query.text, allowed, feedback });
  const passages = passagesOf(sources, options.passagesOfSource);
  const rankings: Ranking[] = [{ retriever: 'keyword', weight: weights.keyword, passages }];
  const depth = Math.min(options.depth ?? USUAL_DEPTH, MAX_DEPTH);
  const docs = corpora.find(({ name }) => name === 'docs');
  if (graph !== undefined && docs !== undefined && depth > 0 && weights.graph > 0) {
    const reach = (path: string) => reachIn(docs, path, allowed);
    const reached = withStatements(spread(sources, graph, reach, depth), graph.waysIn(query.text), reach);
    rankings.push({
      retriever: 'graph',
      weight: weights.graph,
      passages: passagesOf(reached, options.passagesOfSource),
    });
  }
  const time = weights.recency === 0 ? undefined : askedTime(query.text, () => newestOf(corpora));
  if (time !== undefined) {
    const dateOf = ({ corpus, passage }: (typeof passages)[number]) =>
      corpus.source(passage.sourceId)?.dateMs ?? 0;
    const dated = byTime(passages.slice(0, MAX_DATED), time, dateOf);
    rankings.push({ retriever: 'recency', weight: weights.recency, passages: dated });
  }
  return { rankings, bestOfParts: bestOfParts(asked, sources) };
}

function bestOfParts({ query, vocabulary, conceptsOf }: Asked, sources: readonly RankedSource[]): string[] {
  return questionParts(query.text).flatMap((part) => {
    const [best] = bestFor(part, conceptsOf(part), sources, vocabulary)?.passages ?? [];
    return best === undefined ? [] : [keyOf(best)];
  });
}

function newestOf(corpora: readonly Corpus[]): number {
  return Math.max(0, ...corpora.map((corpus) => corpus.newestMs()));
}

function reachIn(docs: Corpus, path: string, allowed: Allowed) {
  const source = docs.sourceAt(mountPathOf(path));
  if (source === undefined) return undefined;
  const mask = allowed(docs);
  const isAllowed = mask === undefined || docs.passagesOf(source.id).some(({ id }) => mask[id] === 1);
  return isAllowed ? { corpus: docs, sourceId: source.id } : undefined;
}
