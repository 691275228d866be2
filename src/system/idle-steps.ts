import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';

const PAUSE_MS = 50;
/** If this thread was busy for more than this share of a pause, somebody uses it, and the next step waits. */
const BUSY_SHARE = 0.2;

export interface Pauses {
  /** The pause between two steps. Default: 50. */
  readonly pauseMs?: number;
  /** The pause after a step during which another program wanted this core. Default: `pauseMs`. */
  readonly crowdedMs?: number;
  /** How often the kernel has taken this process from its core so far. Default: from getrusage(2). */
  readonly timesPushedAside?: () => number;
}

/**
 * Takes steps one after the other, each after a pause in which this thread had little to do. Steps only prepare something, so the first failure silently ends
 * them: the code that needs what was to be prepared does it later, and meets the failure itself.
 * @param steps asking for its next value takes a step; if the value is a promise, the step lasts until it is settled
 * @returns a function that ends the steps
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
    // A failure here happens again to the code that needs the result.
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
