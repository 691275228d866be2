import { isoDay } from '../core/iso-time.ts';
import type { SearchEngine } from '../core/search.ts';
import { type Candidate, textOf } from './candidates.ts';
import { chooseAmong } from './extract.ts';
import { fenceBehind, withFencesClosed } from './fences.ts';
import type { SelectedSpan } from './manifest.ts';
import { sentencesOf } from './sentences.ts';
import type { TokenCounter } from './tokens.ts';

/** Chosen passages of one document with at most this many lines between them are shown as one. */
const BRIDGED_LINES = 3;

/** A candidate as it is in its source. */
export function wholeSpan(
  engine: Pick<SearchEngine, 'textOf'>,
  candidate: Candidate,
  text: string,
  counter: TokenCounter,
): SelectedSpan {
  return spanOf(candidate, 'whole', withWholeFences(engine, candidate.hit, text), counter);
}

/** At most `limit` of its sentences that answer, in order; undefined if it has none. */
export function summarySpan(
  candidate: Candidate,
  text: string,
  terms: ReadonlySet<string>,
  limit: number,
  counter: TokenCounter,
): SelectedSpan | undefined {
  const chosen = chooseAmong(sentencesOf(text), { limit, terms }).sort((a, b) => a.line - b.line);
  const [first] = chosen;
  const last = chosen.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const span = spanOf(candidate, 'summary', chosen.map((sentence) => sentence.text).join(' … '), counter);
  if (span.line === 0) return span;
  return { ...span, line: span.line + first.line - 1, endLine: span.line + last.line - 1 };
}

function spanOf(
  { hit, scores, waits }: Candidate,
  form: SelectedSpan['form'],
  text: string,
  counter: TokenCounter,
): SelectedSpan {
  const { path, line, endLine, kind, type, title, headings, stale, retrievers, hops } = hit;
  return {
    path,
    line,
    endLine,
    kind,
    ...(type === undefined ? {} : { type }),
    title,
    headings,
    form,
    tokens: counter.count(text),
    ...scores,
    date: isoDay(hit.dateMs),
    stale,
    ...(waits ? { waits } : {}),
    why: { retrievers, hops },
    text,
  };
}

/** Joins passages of one document that touch, overlap, or nearly do. */
export function mergeNeighbours(
  engine: Pick<SearchEngine, 'textOf'>,
  spans: readonly SelectedSpan[],
  counter: TokenCounter,
): SelectedSpan[] {
  const merged: SelectedSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.line - b.line || a.endLine - b.endLine)) {
    const at = merged.findIndex((other) => areNeighbours(other, span));
    const other = merged[at];
    const together = other && joinedSpan(engine, other, span, counter);
    if (together === undefined) merged.push(span);
    else merged[at] = together;
  }
  return merged;
}

function areNeighbours(a: SelectedSpan, b: SelectedSpan): boolean {
  const isText = a.kind === 'document' && a.form === 'whole' && b.form === 'whole' && a.line > 0;
  return isText && a.path === b.path && b.line <= a.endLine + 1 + BRIDGED_LINES;
}

/** Undefined if the text cannot be read any more. */
function joinedSpan(
  engine: Pick<SearchEngine, 'textOf'>,
  a: SelectedSpan,
  b: SelectedSpan,
  counter: TokenCounter,
): SelectedSpan | undefined {
  const best = b.score > a.score ? b : a;
  const range = { path: a.path, kind: a.kind, line: a.line, endLine: Math.max(a.endLine, b.endLine) };
  const text = textOf(engine, range);
  if (text === undefined) return undefined;
  const whole = withWholeFences(engine, range, text);
  return { ...best, ...range, headings: a.headings, text: whole, tokens: counter.count(whole) };
}

/** Closes and reopens blocks of code, since a passage may begin or end within one. */
function withWholeFences(
  engine: Pick<SearchEngine, 'textOf'>,
  { path, kind, line }: Pick<SelectedSpan, 'path' | 'kind' | 'line'>,
  text: string,
): string {
  const before =
    kind === 'document' && line > 1 ? engine.textOf({ path, kind, line: 1, endLine: line - 1 }) : '';
  return withFencesClosed(text, fenceBehind(before ?? ''));
}
