/** Whether a Date can hold a number of milliseconds since 1970: what has no time, or one out of all calendars, is no number or too great. */
export function isTime(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}

/** ISO 8601 in UTC, to the millisecond: `2026-01-31T12:00:00.000Z`; undefined where there is none. @throws RangeError where it is no time */
export function isoTime(ms: number): string;
export function isoTime(ms: number | undefined): string | undefined;
export function isoTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** `2026-01-31`, in UTC. @throws RangeError where it is no time */
export function isoDay(ms: number): string {
  return isoTime(ms).slice(0, 'YYYY-MM-DD'.length);
}

/** `20261121T045625`, in UTC: part of a name, so that names sort by time. @throws RangeError where it is no time */
export function timeInName(ms: number): string {
  return isoTime(ms).replace(/[-:]|\.\d+Z$/g, '');
}
