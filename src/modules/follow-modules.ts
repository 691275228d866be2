import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import type { SubPath } from '../core/paths.ts';
import type { Resolver } from '../core/resolver.ts';
import type { Modules } from './modules.ts';

/** How often modules are asked whether they show something else. */
const LOOK_EVERY_MS = 10_000;
/** How soon they are asked after a module has told of a change, unless its last such message led to nothing. */
const LOOK_AFTER_MS = 500;

/**
 * Brings the stored texts that belong to the graph up to date, and waits for that, up to a limit.
 * @param onLate called with the documents that have changed if it took longer: a later look would find nothing new
 */
export async function readGraphTexts(
  modules: Modules,
  limitMs: number,
  onLate: (paths: readonly SubPath[]) => void,
): Promise<void> {
  let isLate = false;
  const reading = modules.mirror('of the graph').then((paths) => {
    if (isLate) onLate(paths);
  });
  const waited = new AbortController();
  const late = pause(limitMs, undefined, { signal: waited.signal }).then(
    () => {
      isLate = true;
    },
    // It was finished in time.
    () => undefined,
  );
  await Promise.race([reading, late]);
  waited.abort();
}

/** Modules that may also tell of changes themselves. */
export interface FollowedModules extends Pick<Modules, 'mirror'> {
  searched(): readonly { readonly tree: Required<Pick<Resolver, 'onChange'>> }[];
}

/**
 * Keeps the stored texts of modules up to date.
 * @param onChanged is told of documents that have changed
 * @returns ends it
 */
export function followModules(
  modules: FollowedModules,
  onChanged: (paths: readonly SubPath[]) => void,
): () => void {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isToldMeanwhile = false;
  /** Some modules tell of a change whenever they are asked, such as a server that ends each time: they are asked ever more rarely. */
  let soonMs = LOOK_AFTER_MS;
  let isDueSoon = false;
  if (modules.searched().length === 0) return () => {};

  async function look(): Promise<void> {
    isLooking = true;
    isToldMeanwhile = false;
    const wasTold = isDueSoon;
    isDueSoon = false;
    const paths = await modules.mirror();
    isLooking = false;
    if (ending.signal.aborted) return;
    onChanged(paths);
    soonMs = wasTold && paths.length === 0 ? Math.min(2 * soonMs, LOOK_EVERY_MS) : LOOK_AFTER_MS;
    // The change may have come after its texts were read.
    if (isToldMeanwhile) lookSoon();
    else lookAfter(LOOK_EVERY_MS);
  }

  function lookSoon(): void {
    if (isDueSoon) return;
    isDueSoon = true;
    lookAfter(soonMs);
  }

  function lookAfter(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), ms).unref();
  }

  for (const { tree } of modules.searched()) {
    tree.onChange(() => {
      if (isLooking) isToldMeanwhile = true;
      else if (!ending.signal.aborted) lookSoon();
    });
  }
  void look();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}
