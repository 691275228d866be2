import { clearTimeout, setTimeout } from 'node:timers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { releaseFreeMemory } from './memory.ts';

const LOOK_EVERY_MS = 5000;
/** Where there has been nothing to do for long, it is looked so many times as rarely: who looks has a core wake up. */
const RARELY = 3;
/** A process that took no more than this part of the time since the last look has nothing to do. */
const IDLE_SHARE = 0.02;
/** So much work leaves garbage that is worth looking for: what that takes is a small part of it. */
const WORTH_CPU_MS = 500;
/** V8 frees buffers in a thread of its own, once garbage was collected. */
const FREED_AFTER_MS = 1000;

/**
 * Gives memory back to the system once this process has nothing to do any more: what V8 and the C library keep for the next moment of work
 * is most of what they have.
 * @param letGo called first, to let go of what can be made or read again
 * @param lookEveryMs how often it is looked whether there is something to do, at most
 * @returns ends it
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

/** Of all threads. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** All of it, leaving no holes. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--compact-on-every-full-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  setFlagsFromString('--no-compact-on-every-full-gc');
  setFlagsFromString('--no-expose-gc');
}
