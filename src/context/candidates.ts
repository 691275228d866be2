import type { ContextSettings } from '../core/context-settings.ts';
import type { MemoryEntry } from '../core/memory-entry.ts';
import type { SearchAnswer, SearchEngine, SearchHit } from '../core/search.ts';
import { wordsOf } from '../words/tokens.ts';
import type { LeftOut, LeftOutReason, Scores, Span } from './manifest.ts';
import { scoresOf } from './scores.ts';

/** A hit with what it is worth. */
export interface Candidate {
  readonly hit: SearchHit;
  readonly scores: Scores;
}

/** What is known of an entry of memory besides its text. */
export type EntryState = Pick<MemoryEntry, 'confidence' | 'tags' | 'reviewedMs' | 'supersededBy'>;

/** A hit that is so much worse than the best is there by chance. */
const MIN_SIMILARITY = 0.12;

/** Hits by score, best first, and those that are out of the question. */
export function candidatesOf(
  { hits }: SearchAnswer,
  dayMs: number,
  entryAt: (path: string) => EntryState | undefined,
  settings: ContextSettings,
): { readonly candidates: Candidate[]; readonly leftOut: LeftOut[] } {
  const best = Math.max(0, ...hits.map(({ score }) => score));
  const candidates: Candidate[] = [];
  const leftOut: LeftOut[] = [];
  for (const hit of hits) {
    const entry = hit.kind === 'memory' ? entryAt(hit.path) : undefined;
    const candidate = { hit, scores: scoresOf(hit, best, dayMs, entry, settings) };
    if (entry?.supersededBy !== undefined) leftOut.push(leftOutOf(candidate, 'superseded'));
    else if (candidate.scores.similarity < MIN_SIMILARITY)
      leftOut.push(leftOutOf(candidate, 'low similarity'));
    else candidates.push(candidate);
  }
  // Sorting is stable: hits of the same score stay in the order in which they were found.
  return { candidates: candidates.sort((a, b) => b.scores.score - a.scores.score), leftOut };
}

export function leftOutOf({ hit, scores }: Candidate, reason: LeftOutReason, tokens = 0): LeftOut {
  const { path, line, endLine, kind } = hit;
  return { path, line, endLine, kind, reason, tokens, score: scores.score };
}

/** The text of a hit without white space behind it; undefined where it is gone or says nothing. */
export function textOf(
  engine: Pick<SearchEngine, 'textOf'>,
  hit: Pick<Span, 'path' | 'kind' | 'line' | 'endLine'>,
): string | undefined {
  const text = engine.textOf(hit)?.trimEnd();
  return text === '' ? undefined : text;
}

const SHINGLE_WORDS = 4;
/** So much of a text in another one makes it the same. */
const SAME = 0.85;

/** Texts that were chosen, to know when one says what another has said. */
export class SaidTexts {
  readonly #shingles: Set<string>[] = [];

  /** Whether a text stands almost whole in one that was said; otherwise it is said from now on. */
  isSaid(text: string): boolean {
    const shingles = shinglesOf(text);
    const isKnown = this.#shingles.some((known) => partIn(shingles, known) >= SAME);
    if (!isKnown) this.#shingles.push(shingles);
    return isKnown;
  }
}

function shinglesOf(text: string): Set<string> {
  const words = wordsOf(text);
  if (words.length <= SHINGLE_WORDS) return new Set([words.join(' ')]);
  return new Set(
    words.slice(SHINGLE_WORDS - 1).map((_word, index) => words.slice(index, index + SHINGLE_WORDS).join(' ')),
  );
}

function partIn(shingles: ReadonlySet<string>, known: ReadonlySet<string>): number {
  let held = 0;
  for (const shingle of shingles) if (known.has(shingle)) held += 1;
  return held / shingles.size;
}
