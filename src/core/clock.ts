/** Where the time comes from. Tests bring their own clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
}

export const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** Whether a time that was stored is at most so long ago. A time in the future is not: the clock was set back since. */
export function isRecent(atMs: number, withinMs: number): boolean {
  const agoMs = systemClock.nowMs() - atMs;
  return agoMs >= 0 && agoMs < withinMs;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
