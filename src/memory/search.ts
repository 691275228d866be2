import type { MemoryPlace } from '../core/memory-entry.ts';
import type { Hit } from '../core/resolver.ts';
import { MAX_SNIPPET_LENGTH } from '../core/resolver.ts';
import { cutText } from '../text/cut-text.ts';
import type { Entries } from './entries.ts';
import { placeOfRow, subPathOf } from './memory-places.ts';

export interface MemoryQuery {
  readonly text: string;
  readonly limit: number;
  /** Whether superseded entries are found, too. Default false. */
  readonly superseded?: boolean;
}

interface Match {
  readonly id: number;
  readonly folded: string;
  readonly score: number;
}

/**
 * Entries whose key or content contains all words of the query, in any case and anywhere in a word. Best first: entries with a line that contains
 * all words, then those that contain them most often, then the latest. The score is over 0.5 and at most 1, since something that somebody took the
 * trouble to remember comes before a document that contains the words somewhere in a long text.
 */
export function searchEntries(entries: Entries, query: MemoryQuery): (Hit & MemoryPlace)[] {
  const words = [...new Set(query.text.toLowerCase().match(/\S+/g) ?? [])];
  const [rarest] = [...words].sort((a, b) => b.length - a.length);
  if (rarest === undefined || query.limit < 1) return [];
  const matches: Match[] = [];
  let perfect = 0;
  for (const { id, folded } of entries.tables.texts.found(
    rarest,
    entries.nowMs(),
    query.superseded ?? false,
  )) {
    const score = scoreOf(folded, words);
    if (score === undefined) continue;
    matches.push({ id, folded, score });
    if (score === 1) perfect += 1;
    // The latest entries come first, so nothing that follows can be better.
    if (perfect === query.limit) break;
  }
  return matches
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, query.limit)
    .flatMap((match) => hitOf(entries, match, words));
}

/** @param folded the key in the first line, then the content, in lower case */
function scoreOf(folded: string, words: readonly string[]): number | undefined {
  if (!words.every((word) => folded.includes(word))) return undefined;
  let most = 0;
  let matching = 0;
  eachMatchingLine(folded, words, (start, count) => {
    if (count > most) most = count;
    if (start > 0) matching += 1;
  });
  const share = most / words.length / 2 + matching / contentLinesOf(folded) / 2;
  return 0.5 + share / 2;
}

/** Visits the lines that contain any of the words, in order: where each begins, and how many of the words it contains. */
function eachMatchingLine(
  folded: string,
  words: readonly string[],
  visit: (start: number, count: number) => void,
): void {
  // The next position of each word. So nothing is looked at twice, however many lines there are.
  const nextOf = words.map((word) => nextAt(folded, word, 0));
  for (let at = Math.min(...nextOf); at < folded.length; at = Math.min(...nextOf)) {
    const newline = folded.indexOf('\n', at);
    const end = newline === -1 ? folded.length : newline;
    let count = 0;
    for (const [index, word] of words.entries()) {
      if ((nextOf[index] ?? end) >= end) continue;
      count += 1;
      nextOf[index] = nextAt(folded, word, end);
    }
    visit(folded.lastIndexOf('\n', at) + 1, count);
  }
}

/** The next position of a word, or the end of the text if there is none. */
function nextAt(folded: string, word: string, from: number): number {
  const at = folded.indexOf(word, from);
  return at === -1 ? folded.length : at;
}

/** The number of lines, at least one. Nothing after a last newline is not a line. */
function contentLinesOf(folded: string): number {
  let count = 0;
  for (let at = folded.indexOf('\n'); at !== -1 && at < folded.length - 1; at = folded.indexOf('\n', at + 1))
    count += 1;
  return Math.max(1, count);
}

/** The first line with the most words: 1-based in the content, or 0 if only the key contains words. */
function bestLineOf(folded: string, words: readonly string[]): number {
  let best = { line: 0, most: 0 };
  eachMatchingLine(folded, words, (start, most) => {
    // A line of the content says more than the key does.
    if (most < best.most || (most === best.most && best.line > 0)) return;
    best = { line: folded.slice(0, start).split('\n').length - 1, most };
  });
  return best.line;
}

function hitOf(
  entries: Entries,
  { id, folded, score }: Match,
  words: readonly string[],
): (Hit & MemoryPlace)[] {
  const row = entries.tables.entries.byId(id);
  if (row === undefined) return [];
  const line = bestLineOf(folded, words);
  const lines = entries.tables.entries.content(id).toString().split('\n');
  const shown = line === 0 ? lines.find((text) => text.trim() !== '') : lines[line - 1];
  const place = placeOfRow(row);
  const snippet = cutText((shown ?? '').trim(), MAX_SNIPPET_LENGTH, '');
  return [{ ...place, path: subPathOf(place), line, kind: 'memory', score, snippet }];
}
