/** Whether a Date can hold this number of milliseconds since 1970. It cannot if that is NaN, or too far from today. */
export function isTime(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}

/** ISO 8601 in UTC, to the millisecond: `2026-01-31T12:00:00.000Z`. An undefined time stays undefined. @throws RangeError unless {@link isTime} */
export function isoTime(ms: number): string;
export function isoTime(ms: number | undefined): string | undefined;
export function isoTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** `2026-01-31`, in UTC. @throws RangeError unless {@link isTime} */
export function isoDay(ms: number): string {
  return isoTime(ms).slice(0, 'YYYY-MM-DD'.length);
}

/** `20261121T045625`, in UTC: part of a name, so that names sort by time. @throws RangeError unless {@link isTime} */
export function timeInName(ms: number): string {
  return isoTime(ms).replace(/[-:]|\.\d+Z$/g, '');
}
