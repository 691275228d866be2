import { MS_PER_DAY } from '../core/clock.ts';
import { CONFLICT_TAG, type MemoryEntry, REVIEW_TAG } from '../core/memory-entry.ts';
import type { HitKind, SearchHit } from '../core/search.ts';
import type { ContextSettings } from '../settings/context.ts';
import type { Scores } from './manifest.ts';

/** What review, and the author, say about an entry. */
export type Provenance = Pick<MemoryEntry, 'confidence' | 'tags' | 'reviewedMs'>;

/** An entry of history says that something was done, and not that it is right. */
const HISTORY_TRUST = 0.5;

/** How trust changes if somebody has accepted an entry as a fact, if it waits for review, or if it conflicts with another one. */
const ACCEPTED = 0.2;
const WAITING = -0.3;
const CONFLICT = -0.1;
/** A confidence of 0.5 changes nothing; 0 or 1 changes trust by this much. */
const CONFIDENCE_RANGE = 0.2;

/**
 * The share of their score that the least fresh and the least trusted hits lose. How well a hit answers comes first; age and origin decide between
 * hits that answer equally well. A document is no worse for being old; a memory is.
 */
const AGE_LOSS: Readonly<Record<HitKind, number>> = {
  document: 0.05,
  node: 0.05,
  memory: 0.1,
  history: 0.1,
};
const DISTRUST_LOSS = 0.1;

/** @param similar from 0 to 1: how well it answers, compared with the best hit of the same answer */
export function scoresOf(
  hit: SearchHit,
  similar: number,
  dayMs: number,
  entry: Provenance | undefined,
  settings: ContextSettings,
): Scores {
  const similarity = clamped(similar);
  const freshness = freshnessOf(hit.dateMs, dayMs, settings.halfLifeDays);
  const trust = trustOf(hit.kind, entry, settings);
  const score = similarity * (1 - AGE_LOSS[hit.kind] * (1 - freshness)) * (1 - DISTRUST_LOSS * (1 - trust));
  return {
    similarity: rounded(similarity),
    freshness: rounded(freshness),
    trust: rounded(trust),
    score: rounded(score),
  };
}

/** Computed in whole days, so that the hour of a change makes no difference. */
function freshnessOf(dateMs: number, dayMs: number, halfLifeDays: number): number {
  const ageDays = Math.max(0, Math.floor(dayMs / MS_PER_DAY) - Math.floor(dateMs / MS_PER_DAY));
  return 0.5 ** (ageDays / halfLifeDays);
}

function trustOf(kind: HitKind, entry: Provenance | undefined, { trust }: ContextSettings): number {
  if (kind === 'history') return HISTORY_TRUST;
  if (kind !== 'memory') return trust.docs;
  const { confidence = 0.5, tags, reviewedMs } = entry ?? { tags: [] };
  const review = tags.includes(REVIEW_TAG) ? WAITING : reviewedMs === undefined ? 0 : ACCEPTED;
  const conflict = tags.includes(CONFLICT_TAG) ? CONFLICT : 0;
  return clamped(trust.memory + (confidence - 0.5) * 2 * CONFIDENCE_RANGE + review + conflict);
}

function clamped(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
