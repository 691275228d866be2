import { clearInterval, setInterval } from 'node:timers';
import type { Output } from '../io.ts';
import { progressBar } from '../progress.ts';

const SHOWN_EVERY_MS = 100;

/**
 * Shows on a terminal how much of memory a search still has to take in before it can answer, which takes a while after an import. Nothing is shown
 * if there is little.
 * @param left how many entries are left
 * @returns a function that ends it, to be called before the answer is written
 */
export function showTakingIn(output: Output, left: () => number): () => void {
  if (!output.isTerminal) return () => {};
  const bar = progressBar(output, 'indexing memory');
  let total = 0;
  const timer = setInterval(() => {
    const now = left();
    total = Math.max(total, now);
    if (total > 0) bar.update({ done: total - now, total });
  }, SHOWN_EVERY_MS);
  return () => {
    clearInterval(timer);
    bar.end();
  };
}
