import { clearInterval, setInterval } from 'node:timers';
import type { LiveDocs } from '../ingest/live-docs.ts';
import { liveDaemons } from '../state/daemons.ts';
import type { StateFolder } from '../state/state-folder.ts';

/** As often it is looked whether a daemon is still there. */
const LOOK_EVERY_MS = 2000;

export interface TakeOverOptions {
  readonly state: StateFolder;
  /** Begins to keep the index in this process. */
  keep(): Promise<LiveDocs>;
  /** Is given what keeps it from now on. */
  onKept(live: LiveDocs): void;
  /** Neither a daemon nor this process keeps the index. It is not tried again. */
  onFailure(error: unknown): void;
}

/**
 * Keeps the index in this process once no daemon does any more, whether it was stopped or died.
 * @returns what ends that
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
