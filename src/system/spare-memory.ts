import { clearTimeout, setTimeout } from 'node:timers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { releaseFreeMemory } from './memory.ts';

const LOOK_EVERY_MS = 5000;
/** After a long idle time, pauses between looks are this many times longer, since each look wakes up a core. */
const IDLE_PAUSE_FACTOR = 3;
/** A process that has used no more than this share of a core since the last look is idle. */
const IDLE_SHARE = 0.02;
/** After this much work, the cost of collecting garbage is small in comparison. */
const WORTH_CPU_MS = 500;
/** After a collection V8 frees buffers in a thread of its own, which takes a moment. */
const FREED_AFTER_MS = 1000;
/** Work that goes on for so many looks in a row counts as long. */
const LONG_LOOKS = 3;
/** How far the heap may grow during long work before all garbage is collected, in percent of what is in use. V8 would let it grow by 300. */
const LONG_WORK_GROWTH_PERCENT = 70;
/** Leaves the decision to V8. */
const ANY_GROWTH = 0;

/**
 * Bounds the memory that V8 and the C library keep in reserve. When this process becomes idle, the reserve is given back to the system. During long work the
 * heap grows in smaller steps, while short work runs as fast as V8 can.
 * @param letGo called first when the process is idle, to drop what can be made or read again
 * @param lookEveryMs the time between two checks whether the process is idle; longer after a long idle time. Default: 5 s
 * @returns a function that ends the checks
 */
export function boundSpareMemory(letGo: () => void, lookEveryMs = LOOK_EVERY_MS): () => void {
  let lastMs = cpuMs();
  let releasedMs = 0;
  let pauseMs = lookEveryMs;
  let busyLooks = 0;
  let timer = lookLater();

  function lookLater(): NodeJS.Timeout {
    return setTimeout(look, pauseMs).unref();
  }

  function look(): void {
    const nowMs = cpuMs();
    const isIdle = nowMs - lastMs < pauseMs * IDLE_SHARE;
    const isWorthIt = nowMs - releasedMs >= WORTH_CPU_MS;
    lastMs = nowMs;
    boundGrowth(isIdle);
    pauseMs = isIdle && !isWorthIt ? lookEveryMs * IDLE_PAUSE_FACTOR : lookEveryMs;
    if (isIdle && isWorthIt) release();
    timer = lookLater();
  }

  function boundGrowth(isIdle: boolean): void {
    const wasLong = busyLooks >= LONG_LOOKS;
    busyLooks = isIdle ? 0 : busyLooks + 1;
    const isLong = busyLooks >= LONG_LOOKS;
    if (isLong !== wasLong) setHeapGrowth(isLong ? LONG_WORK_GROWTH_PERCENT : ANY_GROWTH);
  }

  function release(): void {
    letGo();
    collectGarbage();
    setTimeout(releaseFreeMemory, FREED_AFTER_MS).unref();
    lastMs = cpuMs();
    releasedMs = lastMs;
  }

  return () => {
    clearTimeout(timer);
    setHeapGrowth(ANY_GROWTH);
  };
}

/** Processor time that all threads of this process have used. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @param percent of what is in use after a full collection; takes effect at the next one */
function setHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** Collects all garbage and closes the holes that it leaves. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--compact-on-every-full-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  setFlagsFromString('--no-compact-on-every-full-gc');
  setFlagsFromString('--no-expose-gc');
}
