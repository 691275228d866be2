import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import { type DaemonRecord, isAlive } from '../../state/daemons.ts';

const POLL_MS = 20;
const ENDS_WITHIN_MS = 30_000;
/** One that is to be killed gets less time to end by itself. */
const FORCED_AFTER_MS = 5000;
/** After SIGKILL, which a process that waits for a disk obeys late. */
const DIES_WITHIN_MS = 5000;

/**
 * Ends a daemon without a mount, and waits until it has: at once, or by killing it where it must be. That its record is still about
 * this very process was seen just before, by when that began.
 * @throws UserError where it does not end, or belongs to another user
 */
export async function endDaemon(daemon: DaemonRecord, force: boolean): Promise<void> {
  signal(daemon, 'SIGTERM');
  if (await hasEnded(daemon, force ? FORCED_AFTER_MS : ENDS_WITHIN_MS)) return;
  if (!force)
    throw new UserError(`the daemon (pid ${daemon.pid}) does not end; kgraphfs stop --force kills it`);
  signal(daemon, 'SIGKILL');
  if (!(await hasEnded(daemon, DIES_WITHIN_MS)))
    throw new UserError(`the daemon (pid ${daemon.pid}) cannot be killed`);
}

/** @returns whether the daemon is gone within this time */
export async function hasEnded(daemon: DaemonRecord, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += POLL_MS) {
    if (!isAlive(daemon)) return true;
    await delay(POLL_MS);
  }
  return !isAlive(daemon);
}

function signal(daemon: DaemonRecord, name: NodeJS.Signals): void {
  try {
    if (isAlive(daemon)) process.kill(daemon.pid, name);
  } catch (error) {
    // It has just ended.
    if (!isAlive(daemon)) return;
    throw new UserError(`the daemon (pid ${daemon.pid}) cannot be ended: it belongs to another user`, 1, {
      cause: error,
    });
  }
}
