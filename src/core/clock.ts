/** Where the time comes from; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
}

export const MS_PER_DAY = 24 * 60 * 60 * 1000;

export const systemClock: Clock = { nowMs: () => Date.now() };
