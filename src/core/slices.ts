import { setImmediate } from 'node:timers/promises';
import type { Awaitable } from './resolver.ts';

/**
 * Does work in steps of a few milliseconds, so that others are served between two of them.
 * @param step returns whether nothing is left to do
 * @returns what has the work be done, all who ask meanwhile wait for the same: undefined where one step was enough; rejects, or throws, with what a step throws
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
