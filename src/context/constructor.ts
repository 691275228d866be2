import { type ContextSettings, MAX_BUDGET_TOKENS } from '../core/context-settings.ts';
import { UserError } from '../core/errors.ts';
import type { ParsedQuery, SearchAnswer, SearchEngine } from '../core/search.ts';
import { candidatesOf, type EntryState } from './candidates.ts';
import { FactGraph, type FactSource } from './fact-graph.ts';
import { factsOf } from './facts.ts';
import { fitFacts, fitWhole } from './fitting.ts';
import type { BuildOptions, ContextConstructor, ContextHints, ContextManifest } from './manifest.ts';
import { dayOf, MS_PER_DAY } from './scores.ts';
import { selectSpans } from './selection.ts';
import { questionTerms } from './sentences.ts';
import type { TokenCounter } from './tokens.ts';

/** What contexts are made of. */
export interface ContextSources {
  readonly engine: SearchEngine;
  readonly graph: FactSource & { builtAtMs(): number | undefined };
  /** By its path in the mount; undefined where there is none. */
  entryAt(path: string): EntryState | undefined;
  /** Takes a question apart. */
  parse(question: string): ParsedQuery;
  readonly counter: TokenCounter;
  readonly settings: ContextSettings;
}

/** Passages have some 256 tokens, so this many are enough to choose from. */
const TOKENS_PER_HIT = 110;
const MIN_HITS = 20;
const MAX_HITS = 120;

export function contextConstructor(sources: ContextSources): ContextConstructor {
  const graph = new FactGraph(sources.graph);
  return {
    async build(question, options = {}) {
      const budgetTokens = budgetOf(options, sources.settings);
      const answer = await searchFor(question, budgetTokens, options.hints ?? {}, sources);
      return manifestOf(question, budgetTokens, answer, graph, sources);
    },
  };
}

/** @throws UserError where the budget is no whole number of tokens from 1 to the largest */
function budgetOf({ budgetTokens }: BuildOptions, settings: ContextSettings): number {
  const budget = budgetTokens ?? settings.budgetTokens;
  if (Number.isInteger(budget) && budget >= 1 && budget <= MAX_BUDGET_TOKENS) return budget;
  throw new UserError(
    `a budget is a whole number of tokens from 1 to ${MAX_BUDGET_TOKENS.toLocaleString('en')}, and not ${budget}`,
    2,
  );
}

async function searchFor(
  question: string,
  budgetTokens: number,
  hints: ContextHints,
  { engine, parse }: ContextSources,
): Promise<SearchAnswer> {
  const parsed = parse(question);
  const limit = Math.min(MAX_HITS, MIN_HITS + Math.ceil(budgetTokens / TOKENS_PER_HIT));
  const query = {
    ...parsed,
    types: [...parsed.types, ...(hints.types ?? []).map((type) => type.toLowerCase())],
    scopes: [...parsed.scopes, ...(hints.paths ?? [])],
  };
  const { hits, named } = await engine.search(query, {
    limit,
    superseded: true,
    ...(hints.scope === undefined ? {} : { scope: hints.scope }),
  });
  return { hits: hits.filter(({ kind }) => isWanted(kind, hints)), named };
}

function isWanted(kind: SearchAnswer['hits'][number]['kind'], { include, exclude }: ContextHints): boolean {
  return (include === undefined || include.includes(kind)) && exclude?.includes(kind) !== true;
}

function manifestOf(
  question: string,
  budgetTokens: number,
  answer: SearchAnswer,
  graph: FactGraph,
  { engine, graph: source, entryAt, counter, settings }: ContextSources,
): ContextManifest {
  const terms = questionTerms(question);
  const dayMs = latestDay(source.builtAtMs(), answer);
  const found = candidatesOf(answer, dayMs, entryAt, settings);
  const facts = fitFacts(factsOf(graph, answer.named, terms), question, budgetTokens, counter);
  const chosen = selectSpans(found.candidates, {
    engine,
    terms,
    question,
    counter,
    budgetTokens,
    takenTokens: facts.tokens,
  });
  const leftOut = [...chosen.leftOut, ...found.leftOut].sort((a, b) => b.score - a.score);
  return fitWhole(
    {
      question,
      budgetTokens,
      tokens: 0,
      tokenizer: counter.name,
      revision: engine.revision(),
      day: dayOf(dayMs),
      named: answer.named,
      paths: facts.paths,
      facts: facts.facts,
      selected: chosen.selected,
      leftOut,
    },
    counter,
  );
}

/** The day of the last change of what is shown, and not of the clock: docs as of when they were read, memory as of when it was written. */
function latestDay(builtAtMs: number | undefined, { hits }: SearchAnswer): number {
  const dates = hits.flatMap(({ kind, dateMs }) => (kind === 'memory' || kind === 'history' ? dateMs : []));
  const latestMs = Math.max(0, ...dates, builtAtMs ?? Math.max(0, ...hits.map(({ dateMs }) => dateMs)));
  return Math.floor(latestMs / MS_PER_DAY) * MS_PER_DAY;
}
