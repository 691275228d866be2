import { FactGraph, type FactSource } from '../context/fact-graph.ts';
import { factsOf } from '../context/facts.ts';
import type { Fact, FactPath } from '../context/manifest.ts';
import type { SearchEngine, SearchHit } from '../core/search.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import { termsOf } from '../words/tokens.ts';

/** One thing that was looked up on the way to an answer. */
export interface Lookup {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly resultSummary: string;
}

/** An answer that is made of the sources alone. */
export interface SourcedAnswer {
  /** Ways through the graph between what the question names, most telling first. */
  readonly paths: readonly FactPath[];
  /** Relations that the question asks about, besides those of the ways. */
  readonly facts: readonly Fact[];
  /** Passages that answer, best first, at most one of a file and place. */
  readonly passages: readonly SearchHit[];
  readonly lookups: readonly Lookup[];
  /** Places that the answer stands on, in its order, each once: `charges/create-charge.md:31`, or a path of the mount. */
  readonly sources: readonly string[];
}

export interface AnswerParts {
  readonly engine: Pick<SearchEngine, 'search'>;
  readonly graph: FactSource;
}

const PASSAGES = 4;
const MAX_FACTS = 5;
const MAX_PATHS = 3;
/** Of the best hit's score: what is worth less hardly answers. */
const MIN_SHARE = 0.5;

/** What search and the graph say to a question, without a model. */
export async function answerFromSources(
  question: string,
  { engine, graph }: AnswerParts,
): Promise<SourcedAnswer> {
  const query = parseQuery(question);
  const { hits, named } = await engine.search(query, { limit: 2 * PASSAGES });
  const terms = new Set(termsOf(query.text));
  const { paths: allPaths, facts: allFacts } = factsOf(new FactGraph(graph), named, terms);
  const paths = allPaths.slice(0, MAX_PATHS);
  const facts = allFacts.filter((fact) => isAskedFor(fact, terms)).slice(0, MAX_FACTS);
  const best = hits[0]?.score ?? 0;
  const passages = hits
    .filter(({ kind, score }) => kind !== 'node' && score >= best * MIN_SHARE)
    .slice(0, PASSAGES);
  return {
    paths,
    facts,
    passages,
    lookups: lookupsOf(question, hits.length, named, allPaths, allFacts.length),
    sources: sourcesOf(paths, facts, passages),
  };
}

/** Whether the question speaks of what the relation says, and not only of one of its ends. */
function isAskedFor({ from, edgeType, to }: Fact, terms: ReadonlySet<string>): boolean {
  const speaksOf = (text: string) => termsOf(text).some((term) => terms.has(term));
  return [from, edgeType, to].filter(speaksOf).length > 1;
}

function lookupsOf(
  question: string,
  hitCount: number,
  named: readonly string[],
  paths: readonly FactPath[],
  factCount: number,
): Lookup[] {
  return [
    { tool: 'search_files', args: { query: question }, resultSummary: `${hitCount} hits` },
    ...paths.map(({ nodes, steps }) => ({
      tool: 'connect',
      args: { from: nodes[0], to: nodes.at(-1) },
      resultSummary: `${nodes.join(' → ')}, ${steps.length} steps`,
    })),
    ...named.map((node) => ({
      tool: 'inspect',
      args: { node },
      resultSummary: `${factCount} relations of what is named`,
    })),
  ];
}

function sourcesOf(
  paths: readonly FactPath[],
  facts: readonly Fact[],
  passages: readonly SearchHit[],
): string[] {
  const stated = [...paths.flatMap(({ steps }) => steps), ...facts].flatMap(({ evidence }) =>
    evidence.slice(0, 1),
  );
  return [...new Set([...stated, ...passages.map(placeOf)])];
}

/** As evidence names it, where it is in the docs. */
export function placeOf({ path, line }: Pick<SearchHit, 'path' | 'line'>): string {
  const place = path.replace(/^\/docs\//, '');
  return line > 0 ? `${place}:${line}` : place;
}
