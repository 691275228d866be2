import type { Fused } from './fusion.ts';

/** How many answers to the whole question stay ahead of the answers to its parts. */
const ANSWERS_AHEAD = 4;

/**
 * For a question of several parts: puts the best answer to each part right behind the best answers to all, with the score of the hit that it passes.
 * Nothing else moves, and a source that already has a passage ahead is not raised.
 * @param best keys of the best passage for each part
 * @param sourceOf the source of the passage with a key
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
