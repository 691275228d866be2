import { MS_PER_DAY } from '../core/clock.ts';
import { CONFLICT_TAG, type MemoryEntry, REVIEW_TAG } from '../core/memory-entry.ts';
import type { HitKind, SearchHit } from '../core/search.ts';
import type { ContextSettings } from '../settings/context.ts';
import type { Scores } from './manifest.ts';

/** What review and its writer say of an entry. */
export type Provenance = Pick<MemoryEntry, 'confidence' | 'tags' | 'reviewedMs'>;

/** What an entry of history says was done, and not that it is right. */
const HISTORY_TRUST = 0.5;

/** Somebody looked at it and took it for a fact; it waits for somebody to look; it clashed with another. */
const ACCEPTED = 0.2;
const WAITING = -0.3;
const CONFLICT = -0.1;
/** Confidence of a half changes nothing; that of 0 or 1 so much. */
const CONFIDENCE_RANGE = 0.2;

/**
 * What the least fresh and the least trusted lose of their score: what answers better comes first, and age and origin decide between what answers
 * alike. A document is no worse for being old; what was remembered is.
 */
const AGE_LOSS: Readonly<Record<HitKind, number>> = {
  document: 0.05,
  node: 0.05,
  memory: 0.1,
  history: 0.1,
};
const DISTRUST_LOSS = 0.1;

/** @param similar from 0 to 1: how well it answers, as part of the best hit of the same answer */
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

/** In whole days, so that the hour of a change makes no difference. */
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
