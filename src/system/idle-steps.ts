import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import { areCoresWanted } from './cores-wanted.ts';

const PAUSE_MS = 50;
/** The longest of the pauses that double: what is prepared is to be ready some day on a machine that is always busy, too. */
const MAX_CROWDED_MS = 250;
/** If this thread was busy for more than this share of a pause, somebody uses it, and the next step waits. */
const BUSY_SHARE = 0.2;

export interface Pauses {
  /** Between two steps. Default: 50. */
  readonly pauseMs?: number;
  /** After a step at whose end another program waits for a core; after each further one twice as long as before, up to 250 ms. Default: `pauseMs`. */
  readonly crowdedMs?: number;
  /** Whether another program waits for a core. Default: {@link areCoresWanted}. */
  readonly isCrowded?: () => boolean;
}

/**
 * Takes steps one after the other, each after a pause in which this thread had little to do. A step only prepares something, so the first failure
 * ends all silently: whoever needs what was to be prepared does it then, and meets the failure.
 * @param steps asking for the next value takes a step; if the value is a promise, the step lasts until it is settled
 * @returns ends the steps
 */
export function takeStepsWhenIdle(
  steps: Iterator<unknown>,
  { pauseMs = PAUSE_MS, crowdedMs = pauseMs, isCrowded = areCoresWanted }: Pauses = {},
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  let waitMs = pauseMs;

  function wait(): void {
    if (isEnded) return;
    const before = performance.eventLoopUtilization();
    timer = setTimeout(() => look(before), waitMs).unref();
  }

  function look(before: EventLoopUtilization): void {
    if (performance.eventLoopUtilization(before).utilization > BUSY_SHARE) wait();
    // What fails here fails again for whoever needs it.
    else void take().catch(() => undefined);
  }

  async function take(): Promise<void> {
    const { done, value } = steps.next();
    if (done === true) return;
    await value;
    waitMs = isCrowded() ? Math.min(Math.max(2 * waitMs, crowdedMs), MAX_CROWDED_MS) : pauseMs;
    wait();
  }

  wait();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    steps.return?.();
  };
}
