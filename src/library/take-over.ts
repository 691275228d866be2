import { clearInterval, setInterval } from 'node:timers';
import type { LiveDocs } from '../ingest/live-docs.ts';
import { liveDaemons } from '../state/daemons.ts';
import type { StateFolder } from '../state/state-folder.ts';

/** How often to look whether a daemon is still there. */
const LOOK_EVERY_MS = 2000;

export interface TakeOverOptions {
  readonly state: StateFolder;
  /** Begins to keep the index in this process. */
  keep(): Promise<LiveDocs>;
  /** Called with what keeps the index from now on. */
  onKept(live: LiveDocs): void;
  /** Called if this process cannot keep the index either. It is not tried again. */
  onFailure(error: unknown): void;
}

/**
 * Keeps the index in this process once no daemon does any more, whether that was stopped or died.
 * @returns a function that ends it
 */
export function takeOverFromDaemon({ state, keep, onKept, onFailure }: TakeOverOptions): () => Promise<void> {
  let kept: Promise<LiveDocs | undefined> | undefined;
  let isOver = false;
  const begin = async (): Promise<LiveDocs | undefined> => {
    try {
      if (liveDaemons(state).length > 0) return undefined;
      clearInterval(timer);
      const live = await keep();
      if (!isOver) onKept(live);
      return live;
    } catch (error) {
      clearInterval(timer);
      onFailure(error);
      return undefined;
    }
  };
  const timer = setInterval(() => {
    kept = begin();
  }, LOOK_EVERY_MS).unref();
  return async () => {
    isOver = true;
    clearInterval(timer);
    await (await kept)?.stop();
  };
}
