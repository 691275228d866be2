import { systemClock } from '../core/clock.ts';

/**
 * Times of files move in steps of the kernel's clock, 10 ms at most. What changed less than this long ago may change
 * once more and keep its time.
 */
const UNSETTLED_MS = 50;

/**
 * Whether what changed then (`ctime`, which no program can set, in nanoseconds since 1970) has another `ctime` once it
 * changes again. False too for a time to come, of a clock that was set back.
 */
export function isSettled(changedNs: bigint): boolean {
  return systemClock.nowMs() - Number(changedNs / 1_000_000n) > UNSETTLED_MS;
}
