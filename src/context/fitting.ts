import { firstReadingText } from '../core/first-reading.ts';
import type { Facts } from './facts.ts';
import type { ContextManifest, FactPath, SelectedSpan } from './manifest.ts';
import {
  ANY_MARK,
  factLine,
  layoutFor,
  materialize,
  openingOf,
  pathLine,
  unreadLine,
} from './materialize.ts';
import type { TokenCounter } from './tokens.ts';

/** The share of a budget for facts of the graph. Quotations answer more. */
const FACT_SHARE = { full: 0.15, brief: 0.2, lines: 0.3 };
/** If there is little room, the first path may take a larger share: it says most. */
const FIRST_SHARE = 0.6;
const MAX_FACT_TOKENS = 1200;
const BREAK_TOKENS = 2;
/** The heading above the facts. */
const HEADING_TOKENS = 8;

/** Models count a little differently: for English and code, another encoding yields up to 3 % more. */
const RESERVE_SHARE = 0.03;

/** The tokens of a budget that a text may use, so that it fits even by the tokenizers of other models. */
export function usableTokens(budgetTokens: number): number {
  return budgetTokens - Math.floor(budgetTokens * RESERVE_SHARE);
}

/** The first paths and facts that fit into their share of the budget. `tokens` counts them and the opening. */
export function fitFacts(
  { paths, facts }: Facts,
  question: string,
  budgetTokens: number,
  counter: TokenCounter,
): Facts & { readonly tokens: number } {
  const layout = layoutFor(budgetTokens);
  const opening = openingOf({ question }, ANY_MARK, layout).reduce(
    (sum, part) => sum + counter.count(part) + BREAK_TOKENS,
    0,
  );
  const usable = usableTokens(budgetTokens);
  const free = usable - opening - HEADING_TOKENS;
  const room = Math.min(MAX_FACT_TOKENS, usable * FACT_SHARE[layout], free);
  const firstRoom = layout === 'lines' ? Math.min(usable * FIRST_SHARE, usable - opening) : room;
  let taken = 0;
  const fits = (line: string): boolean => {
    const tokens = counter.count(line) + 1;
    if (taken + tokens > (taken === 0 ? firstRoom : room)) return false;
    taken += tokens;
    return true;
  };
  const said = new Set<string>();
  const chosenPaths: FactPath[] = [];
  for (const path of paths) {
    // If there is no room for its evidence, a path still answers without it.
    const variants = layout === 'lines' && taken === 0 ? [path, withoutEvidence(path)] : [path];
    const chosen = variants.find((variant) => fits(pathLine(variant, layout, new Set(said))));
    if (chosen === undefined) continue;
    pathLine(chosen, layout, said);
    chosenPaths.push(chosen);
  }
  const chosenFacts = facts.filter((fact) => fits(factLine(fact, layout)));
  const heading = taken > 0 && layout === 'full' ? HEADING_TOKENS : 0;
  return { paths: chosenPaths, facts: chosenFacts, tokens: opening + taken + heading };
}

function withoutEvidence({ nodes, steps }: FactPath): FactPath {
  return { nodes, steps: steps.map((step) => ({ ...step, evidence: [] })) };
}

/**
 * The manifest with the number of tokens of its text. The least important parts are left out until that is within the budget.
 * @param readSoFar as for `ReadSoFar`. Default: everything was read
 */
export function fitWhole(
  manifest: ContextManifest,
  counter: TokenCounter,
  readSoFar?: number,
): ContextManifest {
  let now = manifest;
  for (;;) {
    const tokens = counter.count(materialize(now));
    if (isEmpty(now)) return empty(now, counter, readSoFar);
    if (tokens <= usableTokens(now.budgetTokens)) return { ...now, tokens };
    now = withoutLeast(now);
  }
}

function isEmpty({ paths, facts, selected }: ContextManifest): boolean {
  return paths.length + facts.length + selected.length === 0;
}

/** Leaves out the least important part: passages before facts, since there are more of them. */
function withoutLeast(manifest: ContextManifest): ContextManifest {
  const { selected, facts, paths, leftOut } = manifest;
  const least = selected.reduce<SelectedSpan | undefined>(
    (least, span) => (least === undefined || span.score < least.score ? span : least),
    undefined,
  );
  if (least !== undefined && (selected.length > 1 || facts.length + paths.length === 0)) {
    const { path, line, endLine, kind, tokens, score } = least;
    const out = { path, line, endLine, kind, reason: 'budget' as const, tokens, score };
    return {
      ...manifest,
      selected: selected.filter((span) => span !== least),
      leftOut: [...leftOut, out].sort((a, b) => b.score - a.score),
    };
  }
  if (facts.length > 0) return { ...manifest, facts: facts.slice(0, -1) };
  return { ...manifest, paths: paths.slice(0, -1) };
}

/** A note that would exceed the budget is only in the manifest. */
function empty(
  manifest: ContextManifest,
  counter: TokenCounter,
  readSoFar: number | undefined,
): ContextManifest {
  const { leftOut, budgetTokens } = manifest;
  const why = leftOut.some(({ reason }) => reason === 'budget')
    ? `Nothing that was found fits into ${budgetTokens} tokens.`
    : readSoFar === undefined
      ? 'Nothing was found for this question.'
      : `Nothing was found for this question: ${firstReadingText(readSoFar)}.`;
  const note = manifest.unread === undefined ? why : `${why} ${unreadLine(manifest.unread)}`;
  const tokens = counter.count(`${note}\n`);
  return { ...manifest, note, tokens: tokens <= budgetTokens ? tokens : 0 };
}
