import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';

const PAUSE_MS = 50;
/** Of a pause. Where this thread did more than that meanwhile, somebody uses it, and is not to wait for what nobody asked. */
const BUSY_SHARE = 0.2;

export interface Pauses {
  /** Default: 50. */
  readonly pauseMs?: number;
  /** After a step during which somebody else wanted this core. Default: the same. */
  readonly crowdedMs?: number;
  /** How often this process was taken from its core so far. Default: as the kernel counts. */
  readonly timesPushedAside?: () => number;
}

/**
 * Takes steps one after the other, each after a pause in which this thread had little to do. The first that fails is the last: whoever needs what
 * it was to prepare is told by doing it.
 * @param steps each is taken by asking for the next one, and over when what it gives is there
 * @returns ends it
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
    // See above.
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
