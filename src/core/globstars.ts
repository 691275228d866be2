/**
 * How many `**` a pattern may have. Each of them multiplies the ways to match a path by the path's depth. This limit, and the greatest depth that is shown,
 * bound what the folder, config or schema map of a stranger can cost.
 */
export const MAX_GLOBSTARS = 3;

export function hasTooManyGlobstars(pattern: string): boolean {
  return (pattern.match(/\*{2,}/g)?.length ?? 0) > MAX_GLOBSTARS;
}
