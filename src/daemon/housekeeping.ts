import { setInterval, setTimeout } from 'node:timers';
import type { App } from '../app/app.ts';
import { MS_PER_DAY } from '../core/clock.ts';
import { reasonOf } from '../core/errors.ts';
import { applyRetention } from '../history/retention.ts';
import { learnFromUse } from '../learning/learn-from-use.ts';
import { removeOldScratchpads } from '../scratchpad/session-folders.ts';
import { releaseMemoryWhenIdle } from '../system/idle-memory.ts';

/** Nothing here is urgent, and the first questions to a mount go before it. */
const FIRST_AFTER_MS = 10_000;

/**
 * Clears away what is past its time, soon after the start and once a day: old history, scratchpads of ended sessions, memories that
 * were removed long ago. Learns from what was done. Gives memory back when there is nothing to do.
 * @returns ends it
 */
export function keepHouse(app: App): () => void {
  const clear = (): void => {
    clearAway(app).catch((error: unknown) => report(app, error));
  };
  const first = setTimeout(clear, FIRST_AFTER_MS).unref();
  const daily = setInterval(clear, MS_PER_DAY).unref();
  const endReleasing = releaseMemoryWhenIdle(() => app.dropCaches());
  return () => {
    endReleasing();
    clearTimeout(first);
    clearInterval(daily);
  };
}

async function clearAway(app: App): Promise<void> {
  const { settings, state, workspace, memory, errors } = app;
  const { limits } = settings;
  const { store, sessions, history } = workspace;
  const nowMs = Date.now();
  memory.gc({ dryRun: false }, {});
  const isLive = (session: string) => sessions.served(session) !== undefined;
  await applyRetention({
    store,
    nowMs,
    keepDays: limits.historyDays,
    maxBytes: limits.historyBytes,
    isLive,
    onGone: (file) => history.tellGone(file),
  });
  const { failed } = await removeOldScratchpads({
    scratchpadsFolder: state.scratchpadsFolder,
    isLive,
    maxAgeMs: limits.scratchpadDays * MS_PER_DAY,
    nowMs,
  });
  for (const { sessionId, why } of failed) {
    const message = `the scratchpad of session ${sessionId} cannot be cleared away: ${why}`;
    errors.add({ code: 'EIO', path: '/context/scratchpad', message });
  }
  if (settings.learning.rules || settings.learning.paths) learnFromUse(app);
}

function report({ errors }: App, error: unknown): void {
  errors.add({ code: 'EIO', path: '/context', message: `clearing away: ${reasonOf(error)}` });
}
