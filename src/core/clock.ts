/** Where the time comes from; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
}

export const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** Whether a time that was kept is so long ago at most. One to come is not: the clock was set back since. */
export function isRecent(atMs: number, withinMs: number): boolean {
  const agoMs = systemClock.nowMs() - atMs;
  return agoMs >= 0 && agoMs < withinMs;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
