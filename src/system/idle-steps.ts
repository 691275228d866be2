import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';

const PAUSE_MS = 50;
/** If this thread was busy for more than this share of a pause, somebody uses it, and the next step waits. */
const BUSY_SHARE = 0.2;

export interface Pauses {
  /** Between two steps. Default: 50. */
  readonly pauseMs?: number;
  /** After a step during which another program wanted this core. Default: `pauseMs`. */
  readonly crowdedMs?: number;
  /** How often the kernel took this process from its core so far. Default: from getrusage(2). */
  readonly timesPushedAside?: () => number;
}

/**
 * Takes steps one after the other, each after a pause in which this thread had little to do. A step only prepares something, so the first failure
 * ends all silently: whoever needs what was to be prepared does it then, and meets the failure.
 * @param steps asking for the next value takes a step; if the value is a promise, the step lasts until it is settled
 * @returns ends the steps
 */
export function takeStepsWhenIdle(
  steps: Iterator<unknown>,
  { pauseMs = PAUSE_MS, crowdedMs = pauseMs, timesPushedAside = involuntarySwitches }: Pauses = {},
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  let isCrowded = false;

  function wait(): void {
    if (isEnded) return;
    const before = performance.eventLoopUtilization();
    timer = setTimeout(() => look(before), isCrowded ? crowdedMs : pauseMs).unref();
  }

  function look(before: EventLoopUtilization): void {
    if (performance.eventLoopUtilization(before).utilization > BUSY_SHARE) wait();
    // What fails here fails again for whoever needs it.
    else void take().catch(() => undefined);
  }

  async function take(): Promise<void> {
    const before = timesPushedAside();
    const { done, value } = steps.next();
    if (done === true) return;
    await value;
    isCrowded = timesPushedAside() > before;
    wait();
  }

  wait();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    steps.return?.();
  };
}

/** `ru_nivcsw` of getrusage(2). */
function involuntarySwitches(): number {
  return process.resourceUsage().involuntaryContextSwitches;
}
