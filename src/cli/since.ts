import { usageError } from './usage-error.ts';

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * The time that `2h`, `3d` or an ISO 8601 date or time means, in milliseconds since 1970.
 * @throws UserError for any other text
 */
export function sinceMs(text: string, nowMs: number, verb: string): number {
  const [, count, unit = ''] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (UNITS_MS[unit] ?? 0);
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw usageError(`--since is a time such as 30m, 2h, 3d or 2026-11-21, not "${text}"`, verb);
  }
  return time;
}
