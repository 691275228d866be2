import type { MemoryPlace } from '../core/memory-entry.ts';
import type { Hit } from '../core/resolver.ts';
import type { Entries } from './entries.ts';
import { placeOfRow, subPathOf } from './places.ts';

/** Longest part of a line that a hit shows, in characters. */
const MAX_SNIPPET = 200;

export interface MemoryQuery {
  readonly text: string;
  readonly limit: number;
  /** Default false. */
  readonly superseded?: boolean;
}

interface Match {
  readonly id: number;
  /** 1-based; 0 where only the key has the words. */
  readonly line: number;
  readonly score: number;
}

/**
 * Entries whose key or content holds all words of the query, in any case and anywhere in a word; best first: those with a line that holds
 * them all, then those that hold them most often, then the latest. The score is over 0.5 and at most 1: what somebody took the trouble to
 * remember comes before a document that has the words somewhere in a long text.
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
    const match = matchIn(id, folded, words);
    if (match === undefined) continue;
    matches.push(match);
    if (match.score === 1) perfect += 1;
    // The latest come first: nothing that follows can be better.
    if (perfect === query.limit) break;
  }
  return matches
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, query.limit)
    .flatMap((match) => hitOf(entries, match));
}

/** @param folded the key in the first line, then the content */
function matchIn(id: number, folded: string, words: readonly string[]): Match | undefined {
  if (!words.every((word) => folded.includes(word))) return undefined;
  const lines = folded.split('\n');
  // What follows a last newline is no line.
  if (lines.length > 2 && lines.at(-1) === '') lines.pop();
  let most = 0;
  let line = 0;
  let matching = 0;
  for (const [number, text] of lines.entries()) {
    const found = words.filter((word) => text.includes(word)).length;
    if (found > 0 && number > 0) matching += 1;
    // A line of the content says more than the key does.
    if (found > most || (found === most && line === 0 && found > 0)) {
      most = found;
      line = number;
    }
  }
  const share = most / words.length / 2 + matching / (lines.length - 1) / 2;
  return { id, line, score: 0.5 + share / 2 };
}

function hitOf(entries: Entries, { id, line, score }: Match): (Hit & MemoryPlace)[] {
  const row = entries.tables.entries.byId(id);
  if (row === undefined) return [];
  const lines = entries.tables.entries.content(id).toString().split('\n');
  const shown = line === 0 ? lines.find((text) => text.trim() !== '') : lines[line - 1];
  const place = placeOfRow(row);
  const snippet = (shown ?? '').trim().slice(0, MAX_SNIPPET);
  return [{ ...place, path: subPathOf(place), line, kind: 'memory', score, snippet }];
}
