import { clearTimeout, setTimeout } from 'node:timers';
import type { SubPath } from '../core/paths.ts';
import type { Modules } from './modules.ts';

/** How often modules are asked whether what they show is another. */
const LOOK_EVERY_MS = 10_000;
/** So long after a module said so itself. */
const LOOK_AFTER_MS = 500;

/**
 * Keeps what is kept of the texts of modules up to date.
 * @param onChanged is told of documents that changed
 * @returns ends it
 */
export function followModules(modules: Modules, onChanged: (paths: readonly SubPath[]) => void): () => void {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  if (modules.searched().length === 0) return () => {};

  async function look(): Promise<void> {
    isLooking = true;
    const paths = await modules.mirror();
    isLooking = false;
    if (ending.signal.aborted) return;
    onChanged(paths);
    lookAfter(LOOK_EVERY_MS);
  }

  function lookAfter(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), ms).unref();
  }

  for (const { tree } of modules.searched()) {
    tree.onChange(() => {
      if (!isLooking && !ending.signal.aborted) lookAfter(LOOK_AFTER_MS);
    });
  }
  void look();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}
