import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';

const PAUSE_MS = 50;
/** Of a pause. Where this thread did more than that meanwhile, somebody uses it, and is not to wait for what nobody asked. */
const BUSY_SHARE = 0.2;

/**
 * Takes steps one after the other, each after a pause in which this thread had little to do. The first that fails is the last: whoever needs what
 * it was to prepare is told by doing it.
 * @param steps each is taken by asking for the next one, and over when what it gives is there
 * @returns ends it
 */
export function takeStepsWhenIdle(steps: Iterator<unknown>, pauseMs = PAUSE_MS): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;

  function wait(): void {
    if (isEnded) return;
    const before = performance.eventLoopUtilization();
    timer = setTimeout(() => look(before), pauseMs).unref();
  }

  function look(before: EventLoopUtilization): void {
    if (performance.eventLoopUtilization(before).utilization > BUSY_SHARE) wait();
    // See above.
    else void take().catch(() => undefined);
  }

  async function take(): Promise<void> {
    const { done, value } = steps.next();
    if (done === true) return;
    await value;
    wait();
  }

  wait();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    steps.return?.();
  };
}
