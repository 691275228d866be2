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

/** What one question is answered from. */
export interface Asked {
  readonly query: ParsedQuery;
  readonly options: SearchOptions;
  readonly corpora: readonly Corpus[];
  readonly vocabulary: Vocabulary;
  readonly allowed: Allowed;
  readonly concepts: readonly Concept[];
  /** What a part of the question speaks of. */
  readonly conceptsOf: (part: string) => readonly Concept[];
}

export interface RankingOptions {
  readonly weights: SearchWeights;
  readonly feedback: boolean;
  /** Undefined where the graph is not to be asked. */
  readonly graph: GraphView | undefined;
}

/** What the retrievers say that need not wait for anybody. */
export interface Rankings {
  readonly rankings: readonly Ranking[];
  /** Keys of the best passage for each part of a question that has several. */
  readonly bestOfParts: readonly string[];
}

/** Documents that a good answer links to are followed no further, unless asked: measured, see docs/decisions.md. */
const USUAL_DEPTH = 1;
const MAX_DEPTH = 5;
/** Of the passages that answer best, so many are put in the order of their time. */
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
