import { clearTimeout, setTimeout } from 'node:timers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { releaseFreeMemory } from './memory.ts';

const LOOK_EVERY_MS = 5000;
/** After a long idle time the looks are this many times as far apart: each wakes up a core. */
const RARELY = 3;
/** A process that used no more than this share of a core since the last look is idle. */
const IDLE_SHARE = 0.02;
/** After this much work, collecting garbage costs little in comparison. */
const WORTH_CPU_MS = 500;
/** After a collection V8 frees buffers in a thread of its own, which takes a moment. */
const FREED_AFTER_MS = 1000;

/**
 * Gives memory back to the system when this process becomes idle: most of what V8 and the C library hold then is kept for the next moment of
 * work.
 * @param letGo called first, to drop what can be made or read again
 * @param lookEveryMs the time between two looks at whether the process is idle; longer after a long idle time. Default: 5 s
 * @returns ends the looks
 */
export function releaseMemoryWhenIdle(letGo: () => void, lookEveryMs = LOOK_EVERY_MS): () => void {
  let lastMs = cpuMs();
  let releasedMs = 0;
  let pauseMs = lookEveryMs;
  let timer = lookLater();

  function lookLater(): NodeJS.Timeout {
    return setTimeout(look, pauseMs).unref();
  }

  function look(): void {
    const nowMs = cpuMs();
    const isIdle = nowMs - lastMs < pauseMs * IDLE_SHARE;
    const isWorthIt = nowMs - releasedMs >= WORTH_CPU_MS;
    lastMs = nowMs;
    pauseMs = isIdle && !isWorthIt ? lookEveryMs * RARELY : lookEveryMs;
    if (isIdle && isWorthIt) release();
    timer = lookLater();
  }

  function release(): void {
    letGo();
    collectGarbage();
    setTimeout(releaseFreeMemory, FREED_AFTER_MS).unref();
    lastMs = cpuMs();
    releasedMs = lastMs;
  }

  return () => clearTimeout(timer);
}

/** Processor time that all threads of this process have used. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
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
