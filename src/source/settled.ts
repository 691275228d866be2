import { systemClock } from '../core/clock.ts';
import { nsToMs } from '../core/node-info.ts';
import { NS_PER_SECOND } from '../system/timespec.ts';

/**
 * Times of files move in steps of the kernel's clock, which are 10 ms at most. A file that changed less than this long ago may change again and keep its time.
 */
const UNSETTLED_MS = 50;
/**
 * The same for disks that keep times in whole seconds (ext3, ext4 with small inodes, HFS+, a server with such a disk) or in steps of two seconds (FAT), always
 * rounded down.
 */
const UNSETTLED_SECONDS_MS = 2000 + UNSETTLED_MS;

/**
 * Whether a file that changed at this time (`ctime`, which no program can set, in nanoseconds since 1970) will have another `ctime` once it changes again.
 * False for a time in the future, too, which comes from a clock that was set back.
 * @param nowMs the time at which the `ctime` was read, or earlier. Default: now
 */
export function isSettled(changedNs: bigint, nowMs = systemClock.nowMs()): boolean {
  const agoMs = nowMs - nsToMs(changedNs);
  if (agoMs > UNSETTLED_SECONDS_MS) return true;
  // On a disk with fractions of a second, one time in millions has none by chance: that file is trusted 2 s later than others.
  return agoMs > UNSETTLED_MS && changedNs % NS_PER_SECOND !== 0n;
}
