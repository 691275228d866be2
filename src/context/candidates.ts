import { type MemoryEntry, REVIEW_TAG } from '../core/memory-entry.ts';
import type { SearchAnswer, SearchEngine, SearchHit } from '../core/search.ts';
import type { ContextSettings } from '../settings/context.ts';
import { wordsOf } from '../words/tokens.ts';
import type { LeftOut, LeftOutReason, Scores, Span } from './manifest.ts';
import { scoresOf } from './scores.ts';

/** A hit with its scores. */
export interface Candidate {
  readonly hit: SearchHit;
  readonly scores: Scores;
  /** Whether it is an entry of memory that nobody has accepted yet. */
  readonly waits?: boolean;
}

/** What is known of an entry of memory besides its text. */
export type EntryState = Pick<MemoryEntry, 'confidence' | 'tags' | 'reviewedMs' | 'supersededBy'>;

/**
 * A hit with this many better ones counts half as much as the best. The rank is needed because scores that are made of ranks hardly differ, even if
 * hits do.
 */
const HALF_WORTH_RANK = 10;
/** A hit whose similarity is below this was found by chance. */
const MIN_SIMILARITY = 0.12;

/** Hits by score, best first, and those that are excluded. */
export function candidatesOf(
  { hits }: SearchAnswer,
  dayMs: number,
  entryAt: (path: string) => EntryState | undefined,
  settings: ContextSettings,
): { readonly candidates: Candidate[]; readonly leftOut: LeftOut[] } {
  const best = Math.max(0, ...hits.map(({ score }) => score));
  const candidates: Candidate[] = [];
  const leftOut: LeftOut[] = [];
  const ahead = aheadOf(hits);
  for (const hit of hits) {
    const better = ahead.get(hit.score) ?? 0;
    const byRank = HALF_WORTH_RANK / (HALF_WORTH_RANK + better);
    const ranked = best > 0 ? Math.min(hit.score / best, byRank) : 0;
    const { strength } = hit;
    const similarity = strength === undefined ? ranked : Math.sqrt(ranked * strength);
    const entry = hit.kind === 'memory' ? entryAt(hit.path) : undefined;
    const scores = scoresOf(hit, similarity, dayMs, entry, settings);
    const candidate = { hit, scores, ...(entry?.tags.includes(REVIEW_TAG) ? { waits: true } : {}) };
    if (entry?.supersededBy !== undefined) leftOut.push(leftOutOf(candidate, 'superseded'));
    else if (scores.similarity < MIN_SIMILARITY) leftOut.push(leftOutOf(candidate, 'low similarity'));
    else candidates.push(candidate);
  }
  // Sorting is stable: hits of the same score stay in the order in which they were found.
  return { candidates: candidates.sort((a, b) => b.scores.score - a.scores.score), leftOut };
}

/** How many hits have a higher score than each score. */
function aheadOf(hits: readonly SearchHit[]): Map<number, number> {
  const ahead = new Map<number, number>();
  const scores = hits.map(({ score }) => score).sort((a, b) => b - a);
  for (const [index, score] of scores.entries()) if (!ahead.has(score)) ahead.set(score, index);
  return ahead;
}

export function leftOutOf({ hit, scores }: Candidate, reason: LeftOutReason, tokens = 0): LeftOut {
  const { path, line, endLine, kind } = hit;
  return { path, line, endLine, kind, reason, tokens, score: scores.score };
}

/** The text of a hit without white space at its end; undefined if it is gone, or is so little that it says nothing, such as a line below a heading. */
export function textOf(
  engine: Pick<SearchEngine, 'textOf'>,
  hit: Pick<Span, 'path' | 'kind' | 'line' | 'endLine'>,
): string | undefined {
  const text = engine.textOf(hit)?.trimEnd();
  return text !== undefined && /[\p{L}\p{N}\p{S}]/u.test(text) ? text : undefined;
}

const SHINGLE_WORDS = 4;
/** Two texts count as the same if one contains this share of the other. */
const SAME_TEXT_SHARE = 0.85;

/** Remembers texts that were said, to recognize one that says the same again. */
export class SaidTexts {
  /** The texts that contain a run of words, by the hash of the run. */
  readonly #holders = new Map<number, number[]>();
  #count = 0;

  /** Whether almost all of a text is contained in one that was said. If not, it counts as said from now on. */
  isSaid(text: string): boolean {
    const shingles = shinglesOf(text);
    const held = new Array<number>(this.#count).fill(0);
    for (const shingle of shingles) {
      for (const holder of this.#holders.get(shingle) ?? []) held[holder] = (held[holder] ?? 0) + 1;
    }
    if (held.some((count) => count >= SAME_TEXT_SHARE * shingles.size)) return true;
    for (const shingle of shingles) {
      const holders = this.#holders.get(shingle);
      if (holders === undefined) this.#holders.set(shingle, [this.#count]);
      else holders.push(this.#count);
    }
    this.#count += 1;
    return false;
  }
}

/** The hashes of all runs of words in a text, or of all its words if it is shorter than a run. */
function shinglesOf(text: string): Set<number> {
  const hashes = wordsOf(text).map(hashOf);
  const shingles = new Set<number>();
  for (let end = Math.min(SHINGLE_WORDS, hashes.length); end <= hashes.length; end += 1) {
    let hash = 0;
    for (let at = Math.max(0, end - SHINGLE_WORDS); at < end; at += 1) {
      hash = (Math.imul(hash, HASH_STEP) + (hashes[at] ?? 0)) | 0;
    }
    shingles.add(hash);
  }
  return shingles;
}

const HASH_STEP = 16_777_619;

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), HASH_STEP);
  return hash;
}
