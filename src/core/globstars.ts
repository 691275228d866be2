/**
 * Each `**` of a pattern multiplies the ways to match a path by its depth. What a stranger's folder, config or schema map may cost is bounded by this
 * and by the greatest depth that is shown.
 */
export const MAX_GLOBSTARS = 3;

export function hasTooManyGlobstars(pattern: string): boolean {
  return (pattern.match(/\*{2,}/g)?.length ?? 0) > MAX_GLOBSTARS;
}
