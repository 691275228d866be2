import { EXIT, UserError } from '../core/errors.ts';
import type { ReadSoFar } from '../core/first-reading.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { HitKind, ParsedQuery, SearchAnswer, SearchEngine } from '../core/search.ts';
import { type ContextSettings, MAX_BUDGET_TOKENS } from '../settings/context.ts';
import { withCommas } from '../text/with-commas.ts';
import { askedBudget } from './asked-budget.ts';
import type { EntryState } from './candidates.ts';
import type { ContextRequest, ToldHit } from './composition.ts';
import type { BuildOptions, ContextConstructor, ContextHints, ContextManifest } from './manifest.ts';

/** What is needed to build contexts. */
export interface ConstructorParts {
  readonly engine: Pick<SearchEngine, 'search' | 'textOf'>;
  /** What is known of an entry besides its text, by its path in the mount; undefined if there is no such entry. */
  entryAt(path: string): EntryState | undefined;
  /** Parses a question. */
  parse(question: string): ParsedQuery;
  /** The revision of docs, graph and memory together. While it is the same, so are contexts. */
  revision(): string;
  readonly readSoFar: ReadSoFar;
  readonly settings: ContextSettings;
  /** Chooses from what was found. May run in another thread, so that others need not wait. */
  compose(request: ContextRequest): Awaitable<ContextManifest>;
}

/** Passages have up to 256 tokens and often half of that, so one hit for this many tokens of the budget is enough to choose from. */
const TOKENS_PER_HIT = 100;
const MIN_HITS = 24;
const MAX_HITS = 120;
/** How many passages of one source are found. A context is read as a whole, so the rest of a good source belongs to it if there is room. */
const PASSAGES_OF_SOURCE = 8;

export function contextConstructor(parts: ConstructorParts): ContextConstructor {
  return {
    async build(text, options = {}) {
      const { question, ...asked } = askedBudget(text);
      const budgetTokens = budgetOf({ ...asked, ...options }, parts.settings);
      const { hints = {} } = options;
      const query = queryOf(parts.parse(question), hints);
      // Changes from here on may or may not be in the context, so this is its revision.
      const revision = parts.revision();
      const answer = await searchFor(query, budgetTokens, hints, parts);
      const manifest = await parts.compose({
        question,
        budgetTokens,
        answer,
        told: toldHits(answer, parts),
        evidenceWithin: evidenceWithin(query, hints),
        showsAll: query.excluded.length + query.phrases.length === 0,
        revision,
        readSoFar: parts.readSoFar(),
      });
      return answer.lack === undefined ? manifest : { ...manifest, lack: answer.lack };
    },
  };
}

/** @throws UserError if the budget is not a whole number of tokens from 1 to the maximum */
function budgetOf({ budgetTokens }: BuildOptions, settings: ContextSettings): number {
  const budget = budgetTokens ?? settings.budgetTokens;
  if (Number.isInteger(budget) && budget >= 1 && budget <= MAX_BUDGET_TOKENS) return budget;
  throw new UserError(
    `a budget is a whole number of tokens from 1 to ${withCommas(MAX_BUDGET_TOKENS)}, and not ${budget}`,
    EXIT.wrongUsage,
  );
}

function queryOf(parsed: ParsedQuery, { types = [], paths = [] }: ContextHints): ParsedQuery {
  return {
    ...parsed,
    types: [...parsed.types, ...types.map((type) => type.toLowerCase())],
    scopes: [...parsed.scopes, ...paths],
  };
}

async function searchFor(
  query: ParsedQuery,
  budgetTokens: number,
  hints: ContextHints,
  { engine }: ConstructorParts,
): Promise<SearchAnswer> {
  const limit = Math.min(MAX_HITS, MIN_HITS + Math.ceil(budgetTokens / TOKENS_PER_HIT));
  const { hits, named, ...rest } = await engine.search(query, {
    limit,
    superseded: true,
    passagesOfSource: PASSAGES_OF_SOURCE,
    snippets: false,
    ...(hints.scope === undefined ? {} : { scope: hints.scope }),
  });
  // What the graph says is about the named nodes.
  return {
    ...rest,
    hits: hits.filter(({ kind }) => isWanted(kind, hints)),
    named: isWanted('node', hints) ? named : [],
  };
}

/** Lists of paths of the mount. Evidence has to be below one path of each. */
function evidenceWithin({ scopes }: ParsedQuery, { scope }: ContextHints): string[][] {
  const choices = [scopes, scope === undefined ? [] : [scope]];
  return choices
    .filter(
      (paths) => paths.length > 0 && !paths.some((path) => path === '/' || /^\/graph(?:\/|$)/.test(path)),
    )
    .map((paths) => [...paths]);
}

function isWanted(kind: HitKind, { include, exclude }: ContextHints): boolean {
  return (include === undefined || include.includes(kind)) && exclude?.includes(kind) !== true;
}

/** Documents are read when the context is composed. */
function toldHits({ hits }: SearchAnswer, { engine, entryAt }: ConstructorParts): ToldHit[] {
  return hits.flatMap((hit) => {
    if (hit.kind === 'document') return [];
    const { path, line, endLine } = hit;
    const entry = hit.kind === 'memory' ? entryAt(path) : undefined;
    return [{ path, line, endLine, text: engine.textOf(hit), entry }];
  });
}
