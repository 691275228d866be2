import { setImmediate } from 'node:timers/promises';
import type { Awaitable } from './resolver.ts';

/**
 * Splits work into steps of a few milliseconds, so that others are served between them.
 * @param step does the next step. @returns whether nothing is left to do
 * @returns a function that does the work. It returns undefined if one step was enough, and otherwise a promise, which all who call it meanwhile share. It
 * fails with whatever a step throws
 */
export function inSlices(step: () => boolean): () => Awaitable<void> {
  let underWay: Promise<void> | undefined;

  async function others(): Promise<void> {
    do await setImmediate();
    while (!step());
  }

  return () => {
    if (underWay !== undefined) return underWay;
    if (step()) return undefined;
    underWay = others().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
