import type { SearchEngine } from '../core/search.ts';
import { withFencesClosed } from './fences.ts';
import type { SelectedSpan } from './manifest.ts';
import { frontMatterLines } from './sentences.ts';
import type { TokenCounter } from './tokens.ts';

/** How many documents are shown as a whole: those from which the best passages were chosen. */
export const MAX_WHOLE = 5;
/** The minimal score of their best passage, compared with the best of all. */
export const MIN_WHOLE_SCORE = 0.5;
/** A line break is a token, and a token may be three line breaks. */
const LINES_PER_TOKEN = 3;
/** No language has longer tokens than this on average. */
const CHARACTERS_PER_TOKEN = 12;

export interface Room {
  readonly engine: Pick<SearchEngine, 'textOf'>;
  readonly counter: TokenCounter;
  /** The tokens that are left of the budget. */
  readonly tokens: number;
  /** The tokens of a span with everything that is written around it. */
  costOf(span: SelectedSpan): number;
}

/**
 * Shows the best documents as a whole if there is room for all of one, so that the context also has answers in other words than the question. Nothing
 * that was chosen is dropped for it.
 */
export function withWholeDocuments(spans: readonly SelectedSpan[], room: Room): readonly SelectedSpan[] {
  const best = Math.max(0, ...spans.map(({ score }) => score));
  let left = room.tokens;
  let shown = spans;
  for (const parts of byDocument(spans).slice(0, MAX_WHOLE)) {
    if (parts.best.score < MIN_WHOLE_SCORE * best) break;
    const whole = wholeDocument(parts.best, room, left + costOfAll(parts.all, room));
    if (whole === undefined) continue;
    const added = room.costOf(whole) - costOfAll(parts.all, room);
    if (added > left) continue;
    left -= added;
    shown = [...shown.filter((span) => !parts.all.includes(span)), whole];
  }
  return shown;
}

interface Parts {
  readonly best: SelectedSpan;
  readonly all: readonly SelectedSpan[];
}

/** Spans grouped by document, ordered by the best passage of each. */
function byDocument(spans: readonly SelectedSpan[]): Parts[] {
  const documents = new Map<string, Parts>();
  for (const span of spans) {
    if (span.kind !== 'document' || span.line === 0) continue;
    const { best = span, all = [] } = documents.get(span.path) ?? {};
    documents.set(span.path, { best: span.score > best.score ? span : best, all: [...all, span] });
  }
  return [...documents.values()].sort((a, b) => b.best.score - a.best.score);
}

function costOfAll(spans: readonly SelectedSpan[], room: Room): number {
  return spans.reduce((sum, span) => sum + room.costOf(span), 0);
}

/**
 * A document without its front matter; undefined if it is gone, or is surely too long.
 * @param best a passage of it
 */
export function wholeDocument(
  best: SelectedSpan,
  { engine, counter }: Pick<Room, 'engine' | 'counter'>,
  roomTokens: number,
): SelectedSpan | undefined {
  const endLine = LINES_PER_TOKEN * roomTokens;
  const lines = engine.textOf({ ...best, line: 1, endLine })?.split('\n');
  if (lines === undefined || lines.length >= endLine) return undefined;
  while (lines.at(-1)?.trim() === '') lines.pop();
  let skipped = frontMatterLines(lines);
  while (lines[skipped]?.trim() === '') skipped += 1;
  const text = lines.slice(skipped).join('\n');
  if (text.length > CHARACTERS_PER_TOKEN * roomTokens) return undefined;
  const closed = withFencesClosed(text, undefined);
  const place = { line: skipped + 1, endLine: lines.length, headings: [] };
  return { ...best, ...place, form: 'whole', text: closed, tokens: counter.count(closed) };
}
