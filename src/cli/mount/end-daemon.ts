import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, UserError } from '../../core/errors.ts';
import { type DaemonRecord, daemonPlace, isAliveIn } from '../../state/daemons.ts';
import { isElsewhere, stateOfProcess } from '../../state/processes.ts';
import type { StateFolder } from '../../state/state-folder.ts';

const POLL_MS = 20;
const ENDS_WITHIN_MS = 30_000;
/** One that is to be killed gets less time to end by itself. */
const FORCED_AFTER_MS = 5000;
/** After SIGKILL, which a process that waits for a disk obeys late. */
const DIES_WITHIN_MS = 5000;

/**
 * Ends a daemon by signals, and waits until it has: at once, or by killing it where it must be. That its record is still about
 * this very process was seen just before, by when that began.
 * @throws UserError where it does not end, belongs to another user, or runs in another container
 */
export async function endDaemon(
  state: StateFolder,
  daemon: DaemonRecord,
  { force }: { readonly force: boolean },
): Promise<void> {
  if (isElsewhere(daemon)) throw outOfReach([daemon]);
  signal(daemon, 'SIGTERM');
  if (await hasEnded(state, daemon, force ? FORCED_AFTER_MS : ENDS_WITHIN_MS)) return;
  if (!force)
    throw new UserError(`the daemon (pid ${daemon.pid}) does not end; kgraphfs stop --force kills it`);
  signal(daemon, 'SIGKILL');
  if (!(await hasEnded(state, daemon, DIES_WITHIN_MS)))
    throw new UserError(`the daemon (pid ${daemon.pid}) cannot be killed`);
}

/** Says of daemons of other containers that no signal reaches them from here. */
export function outOfReach(daemons: readonly DaemonRecord[]): UserError {
  const places = daemons.map(daemonPlace).join(', ');
  return new UserError(
    `a daemon runs ${places}, and is to be ended there: kgraphfs stop --all, or end the container`,
  );
}

/** @returns whether the daemon is gone within this time */
export async function hasEnded(state: StateFolder, daemon: DaemonRecord, withinMs: number): Promise<boolean> {
  const isAlive = isAliveIn(state);
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += POLL_MS) {
    if (!isAlive(daemon)) return true;
    await delay(POLL_MS);
  }
  return !isAlive(daemon);
}

function signal(daemon: DaemonRecord, name: NodeJS.Signals): void {
  try {
    if (stateOfProcess(daemon) === 'alive') process.kill(daemon.pid, name);
  } catch (error) {
    // It has just ended.
    if (stateOfProcess(daemon) !== 'alive') return;
    throw new UserError(
      `the daemon (pid ${daemon.pid}) cannot be ended: it belongs to another user`,
      EXIT.failed,
      {
        cause: error,
      },
    );
  }
}
