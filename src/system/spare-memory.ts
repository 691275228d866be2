import { clearTimeout, setTimeout } from 'node:timers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { releaseFreeMemory } from './memory.ts';

const LOOK_EVERY_MS = 5000;
/** After a long idle time the looks are this many times as far apart: each wakes up a core. */
const IDLE_PAUSE_FACTOR = 3;
/** A process that used no more than this share of a core since the last look is idle. */
const IDLE_SHARE = 0.02;
/** After this much work, collecting garbage costs little in comparison. */
const WORTH_CPU_MS = 500;
/** After a collection V8 frees buffers in a thread of its own, which takes a moment. */
const FREED_AFTER_MS = 1000;
/** Work that goes on at so many looks in a row is long. */
const LONG_LOOKS = 3;
/** By so much may the heap grow during long work before all garbage is collected, in percent of what is in use; V8 would let it grow by 300. */
const LONG_WORK_GROWTH_PERCENT = 70;
/** V8 decides by itself. */
const ANY_GROWTH = 0;

/**
 * Bounds the memory that V8 and the C library hold for the next moment of work. When this process becomes idle it is given back to the
 * system; during long work the heap grows in smaller steps, and what is waited for a moment is served as fast as V8 can.
 * @param letGo called first, when idle, to drop what can be made or read again
 * @param lookEveryMs the time between two looks at whether the process is idle; longer after a long idle time. Default: 5 s
 * @returns ends the looks
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

/** @param percent of what is in use after a collection of all garbage; in force from the next one on */
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
