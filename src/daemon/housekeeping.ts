import { setInterval, setTimeout } from 'node:timers';
import type { App } from '../app/app.ts';
import { MS_PER_DAY } from '../core/clock.ts';
import { codeOfFailure, reasonOf } from '../core/errors.ts';
import { SCRATCHPAD_POINT } from '../core/tree-points.ts';
import { applyRetention } from '../history/retention.ts';
import { learnFromUse } from '../learning/learn-from-use.ts';
import { removeOldScratchpads } from '../scratchpad/session-folders.ts';
import { boundSpareMemory } from '../system/spare-memory.ts';

/** Nothing here is urgent, and the first questions to a mount come first. */
const FIRST_AFTER_MS = 10_000;
/** A clock that is further than this past the last use is not trusted for a day: one that is wrong at boot is mostly set right within minutes. */
const BELIEVED_GAP_MS = 3 * MS_PER_DAY;

/**
 * Clears away what has expired: old history, scratchpads of ended sessions, memories that were removed long ago. It does so once a day, and soon after the
 * start unless the last use was days before. It also learns from what was done, and gives memory back when there is nothing to do.
 * @returns a function that ends this
 */
export function keepHouse(app: App): () => void {
  const work = (options: Keeping): void => {
    keepOnce(app, options).catch((error: unknown) => report(app, error));
  };
  const first = setTimeout(
    () => work({ mayClear: isClockBelieved(app, Date.now()) }),
    FIRST_AFTER_MS,
  ).unref();
  const daily = setInterval(() => work({ mayClear: true }), MS_PER_DAY).unref();
  const endReleasing = boundSpareMemory(() => app.dropCaches());
  return () => {
    endReleasing();
    clearTimeout(first);
    clearInterval(daily);
  };
}

interface Keeping {
  /** Whether expired things may be removed. */
  readonly mayClear: boolean;
}

export async function keepOnce(app: App, { mayClear }: Keeping, nowMs = Date.now()): Promise<void> {
  if (mayClear) await clearAway(app, nowMs);
  const { rules, paths } = app.settings.learning;
  if (rules || paths) learnFromUse(app);
}

/** Whether things that have expired by this clock may be removed at once: the state folder was last used not long before, or never. */
export function isClockBelieved({ workspace }: Pick<App, 'workspace'>, nowMs: number): boolean {
  const { store, session } = workspace;
  const used = [
    ...store.sessions
      .all()
      .flatMap(({ id, startedMs, endedMs }) => (id === session ? [] : [startedMs, endedMs ?? 0])),
    ...store.history.files().flatMap((file) => (file.session === session ? [] : file.modifiedMs)),
  ];
  const lastMs = used.reduce((last, atMs) => Math.max(last, atMs), 0);
  return lastMs === 0 || nowMs - lastMs <= BELIEVED_GAP_MS;
}

async function clearAway(app: App, nowMs: number): Promise<void> {
  const { settings, state, workspace, memory, errors } = app;
  const { limits } = settings;
  const { store, sessions, history } = workspace;
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
    errors.add({ code: 'EIO', path: SCRATCHPAD_POINT, message });
  }
}

function report({ errors }: App, error: unknown): void {
  errors.add({ code: codeOfFailure(error), path: '/context', message: `clearing away: ${reasonOf(error)}` });
}
