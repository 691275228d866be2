import type { Fused } from './fusion.ts';

/** So many of what answers the whole question stay before what answers one part of it. */
const ANSWERS_AHEAD = 4;

/**
 * For a question of several parts: the best for each of them right behind the best for all, with the score of what it passes by. Nothing else
 * changes places, and what is ahead with any of its passages is not raised.
 * @param best keys of the best passage for each part
 * @param sourceOf what a key is a passage of
 */
export function withEachPart(
  fused: readonly Fused[],
  best: readonly string[],
  sourceOf: (key: string) => string | undefined,
): readonly Fused[] {
  if (best.length === 0) return fused;
  const ahead = fused.slice(0, ANSWERS_AHEAD);
  const there = new Set(ahead.map(({ key }) => sourceOf(key)));
  const wanted = new Set(best.filter((key) => !there.has(sourceOf(key))));
  const behind = fused.slice(ANSWERS_AHEAD);
  const score = behind[0]?.score ?? 0;
  const raised = behind.filter(({ key }) => wanted.has(key)).map((entry) => ({ ...entry, score }));
  return [...ahead, ...raised, ...behind.filter(({ key }) => !wanted.has(key))];
}
