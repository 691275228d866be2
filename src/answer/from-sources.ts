import { FactGraph, type FactSource } from '../context/fact-graph.ts';
import { factsOf } from '../context/facts.ts';
import type { Fact, FactPath } from '../context/manifest.ts';
import { wayText } from '../context/way-text.ts';
import type { SearchAnswer, SearchEngine } from '../core/search.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import { termsOf } from '../words/tokens.ts';
import { type Quote, quoteOf } from './quoted.ts';

/** Something that was looked up on the way to an answer. */
export interface Lookup {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly resultSummary: string;
}

/** An answer that is made from the sources alone. */
export interface SourcedAnswer {
  /** Paths through the graph between the things that the question names, most telling first. */
  readonly paths: readonly FactPath[];
  /** Relations that the question asks about, besides those on the paths. */
  readonly facts: readonly Fact[];
  /** What passages say that answer the question, best first. */
  readonly quotes: readonly Quote[];
  readonly lookups: readonly Lookup[];
  /** Places that the answer is based on, in its order and each once: `charges/create-charge.md:31`, or a path of the mount. */
  readonly sources: readonly string[];
  /** As for {@link SearchAnswer}. */
  readonly unread?: readonly string[] | undefined;
}

export interface AnswerParts {
  readonly engine: Pick<SearchEngine, 'search' | 'textOf'>;
  readonly graph: FactSource;
}

const PASSAGES = 4;
const MAX_FACTS = 5;
const MAX_FACTS_BESIDE_WAY = 3;
const MAX_PATHS = 3;
/** The minimal share of the best hit's score: a worse hit hardly answers. */
const MIN_SHARE = 0.5;
/** The minimal share of a question's words: a passage with fewer is about something else. */
const MIN_COVERAGE = 0.25;

/** What search and the graph say about a question, without a model; empty if neither says anything about it. */
export async function answerFromSources(
  question: string,
  { engine, graph }: AnswerParts,
): Promise<SourcedAnswer> {
  const query = parseQuery(question);
  const { hits, named, unread }: SearchAnswer = await engine.search(query, {
    limit: 2 * PASSAGES,
    snippets: 'sentences',
  });
  const terms = new Set(termsOf(query.text));
  const { paths: allPaths, facts: allFacts } = factsOf(new FactGraph(graph), named, terms);
  const paths = allPaths.slice(0, MAX_PATHS);
  const facts = factsAskedFor(allFacts, terms, named, paths.length > 0);
  const best = hits[0]?.score ?? 0;
  const said = new Set<string>();
  const found = hits
    .filter(({ kind, score }) => kind !== 'node' && score >= best * MIN_SHARE)
    .map((hit) => {
      const text = engine.textOf(hit);
      return { hit, text, quote: quoteOf(hit) };
    })
    .filter(({ quote }) => isNew(quote.text, said))
    .slice(0, PASSAGES);
  const isAbout = found.some(({ hit, text = '' }) => speaksOf(terms, [...hit.headings, hit.title, text]));
  const quotes = isAbout || paths.length + facts.length > 0 ? found.map(({ quote }) => quote) : [];
  return {
    paths,
    facts,
    quotes,
    lookups: lookupsOf(question, hits.length, named, allPaths, allFacts.length),
    sources: sourcesOf(paths, facts, quotes),
    unread,
  };
}

/** References repeat the same sentence word for word in many places: once is enough. */
function isNew(text: string, said: Set<string>): boolean {
  if (text !== '' && said.has(text)) return false;
  said.add(text);
  return true;
}

/** Whether enough of the words of a question occur there, as they are: words that are merely related to them are found in any text. */
function speaksOf(terms: ReadonlySet<string>, texts: readonly string[]): boolean {
  const there = new Set(texts.flatMap(termsOf));
  const shared = [...terms].filter((term) => there.has(term)).length;
  return shared > 0 && shared >= terms.size * MIN_COVERAGE;
}

/**
 * Relations of the named things that the question mentions: by what they lead to, or by what they do. If there is a path, it contains what the named
 * things do to each other, so only relations are added that lead to something else in the question. Those with most of its words come first.
 */
function factsAskedFor(
  facts: readonly Fact[],
  terms: ReadonlySet<string>,
  named: readonly string[],
  isBesideWay: boolean,
): Fact[] {
  const names = new Set(termsOf(named.join(' ')));
  const others = new Set([...terms].filter((term) => !names.has(term)));
  return facts
    .map((fact) => {
      const isAskedType = termsOf(fact.edgeType).some((term) => terms.has(term));
      const ends = new Set(termsOf(`${fact.from} ${fact.to}`).filter((term) => others.has(term)));
      return { fact, isAskedType, words: ends.size };
    })
    .filter(({ isAskedType, words }) => words > 0 || (isAskedType && !isBesideWay))
    .sort((a, b) => b.words - a.words || Number(b.isAskedType) - Number(a.isAskedType))
    .slice(0, isBesideWay ? MAX_FACTS_BESIDE_WAY : MAX_FACTS)
    .map(({ fact }) => fact);
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
    ...paths.map((path) => ({
      tool: 'connect',
      args: { from: path.nodes[0], to: path.nodes.at(-1) },
      resultSummary: `${wayText(path)}, ${path.steps.length} steps`,
    })),
    ...named.map((node) => ({
      tool: 'inspect',
      args: { node },
      resultSummary: `${factCount} relations of what is named`,
    })),
  ];
}

function sourcesOf(paths: readonly FactPath[], facts: readonly Fact[], quotes: readonly Quote[]): string[] {
  const stated = [...paths.flatMap(({ steps }) => steps), ...facts].flatMap(({ evidence }) =>
    evidence.slice(0, 1),
  );
  return [...new Set([...stated, ...quotes.map(({ place }) => place)])];
}
