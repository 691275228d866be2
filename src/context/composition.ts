import { MS_PER_DAY } from '../core/clock.ts';
import { mountPathOf } from '../core/docs-selection.ts';
import { isoDay } from '../core/iso-time.ts';
import type { SearchAnswer, SearchEngine, SearchHit } from '../core/search.ts';
import type { ContextSettings } from '../settings/context.ts';
import { candidatesOf, type EntryState } from './candidates.ts';
import { FactGraph, type FactSource } from './fact-graph.ts';
import { type Facts, factsOf } from './facts.ts';
import { fitFacts, fitWhole } from './fitting.ts';
import type { ContextManifest, Fact } from './manifest.ts';
import { selectSpans } from './selection.ts';
import { questionTerms } from './sentences.ts';
import type { TokenCounter } from './tokens.ts';

/** What a context is to be made from, as plain data that can be sent to a thread. */
export interface ContextRequest {
  readonly question: string;
  readonly budgetTokens: number;
  /** The answer of the search. */
  readonly answer: SearchAnswer;
  /** The texts of hits that are not documents. */
  readonly told: readonly ToldHit[];
  /** Where the evidence of facts has to be: below one path of the mount out of each list. */
  readonly evidenceWithin: readonly (readonly string[])[];
  /** Whether the rest of a document may be added to what was found in it. Not if the question says which words must or must not occur. */
  readonly showsAll: boolean;
  readonly revision: string;
  /** As for `ReadSoFar`. */
  readonly readSoFar: number | undefined;
}

/** A node, an entry or a part of one, if its text is not read from the docs. */
export interface ToldHit extends Pick<SearchHit, 'path' | 'line' | 'endLine'> {
  /** The text; undefined if it is gone. */
  readonly text: string | undefined;
  /** What is known of the entry, for hits of memory. */
  readonly entry?: EntryState | undefined;
}

/** Reads the texts of hits, and what else is known of them. */
export interface CompositionSources {
  /** Lines of a document as it is now, 1-based and inclusive; undefined if it is gone. `path` is that in the mount. */
  documentText(path: string, line: number, endLine: number): string | undefined;
  readonly graph: FactSource & { builtAtMs(): number | undefined };
  readonly counter: TokenCounter;
  readonly settings: ContextSettings;
}

/** Makes the function that chooses what fits from what was found, and adds what the graph says about the nodes that the question names. */
export function composer(sources: CompositionSources): (request: ContextRequest) => ContextManifest {
  const { graph, counter, settings } = sources;
  const facts = new FactGraph(graph);
  return ({ question, budgetTokens, answer, told, evidenceWithin, showsAll, revision, readSoFar }) => {
    const terms = questionTerms(question);
    const changedMs = lastChangeMs(graph.builtAtMs(), answer);
    const dayMs = Math.floor(changedMs / MS_PER_DAY) * MS_PER_DAY;
    const states = new Map(told.map(({ path, entry }) => [path, entry]));
    const found = candidatesOf(answer, dayMs, (path) => states.get(path), settings);
    const all = factsWithin(factsOf(facts, answer.named, terms), evidenceWithin);
    const said = fitFacts(all, question, budgetTokens, counter);
    const chosen = selectSpans(found.candidates, {
      engine: { textOf: textsOf(sources, told) },
      terms,
      question,
      counter,
      budgetTokens,
      takenTokens: said.tokens,
      showsAll,
    });
    const manifest: ContextManifest = {
      question,
      budgetTokens,
      tokens: 0,
      tokenizer: counter.name,
      revision,
      changedMs,
      day: isoDay(dayMs),
      named: answer.named,
      ...(answer.unread === undefined ? {} : { unread: answer.unread }),
      paths: said.paths,
      facts: said.facts,
      selected: chosen.selected,
      leftOut: [...chosen.leftOut, ...found.leftOut].sort((a, b) => b.score - a.score),
    };
    return fitWhole(manifest, counter, readSoFar);
  };
}

function factsWithin({ paths, facts }: Facts, choices: readonly (readonly string[])[]): Facts {
  if (choices.length === 0) return { paths, facts };
  const isWithin = ({ evidence }: Fact) =>
    choices.every((folders) =>
      evidence.some((place) => folders.some((folder) => isBelow(mountPathOf(place), folder))),
    );
  return { paths: paths.filter(({ steps }) => steps.every(isWithin)), facts: facts.filter(isWithin) };
}

/** @param place a path with a line after a colon */
function isBelow(place: string, folder: string): boolean {
  return place.startsWith(folder) && /^[:/]/.test(place.slice(folder.length));
}

function textsOf(
  { documentText }: Pick<CompositionSources, 'documentText'>,
  told: readonly ToldHit[],
): SearchEngine['textOf'] {
  const texts = new Map(told.map((hit) => [placeOf(hit), hit.text]));
  return (hit) =>
    hit.kind === 'document' ? documentText(hit.path, hit.line, hit.endLine) : texts.get(placeOf(hit));
}

function placeOf({ path, line, endLine }: Pick<SearchHit, 'path' | 'line' | 'endLine'>): string {
  return `${path}\n${line}\n${endLine}`;
}

/** When any of what was found last changed, independent of the clock: for docs when they were read, for memory when it was written. */
function lastChangeMs(builtAtMs: number | undefined, { hits }: SearchAnswer): number {
  const dates = hits.flatMap(({ kind, dateMs }) => (kind === 'memory' || kind === 'history' ? dateMs : []));
  return Math.max(0, ...dates, builtAtMs ?? Math.max(0, ...hits.map(({ dateMs }) => dateMs)));
}
