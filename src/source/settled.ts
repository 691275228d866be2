import { systemClock } from '../core/clock.ts';
import { nsToMs } from '../core/node-info.ts';
import { NS_PER_SECOND } from '../system/timespec.ts';

/**
 * Times of files move in steps of the kernel's clock, 10 ms at most. What changed less than this long ago may change
 * once more and keep its time.
 */
const UNSETTLED_MS = 50;
/** The same where a disk has whole seconds (ext3, ext4 with small inodes, HFS+, a server that has such a disk) or two of them (FAT), always rounded down. */
const UNSETTLED_SECONDS_MS = 2000 + UNSETTLED_MS;

/**
 * Whether what changed then (`ctime`, which no program can set, in nanoseconds since 1970) has another `ctime` once it
 * changes again. False too for a time to come, of a clock that was set back.
 * @param nowMs when that was looked at, or before. Now, unless given
 */
export function isSettled(changedNs: bigint, nowMs = systemClock.nowMs()): boolean {
  const agoMs = nowMs - nsToMs(changedNs);
  if (agoMs > UNSETTLED_SECONDS_MS) return true;
  // Of a disk that has parts of a second one time in millions is whole: that file is trusted 2 s later.
  return agoMs > UNSETTLED_MS && changedNs % NS_PER_SECOND !== 0n;
}
