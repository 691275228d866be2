import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, UserError } from '../../core/errors.ts';
import { type DaemonRecord, daemonPlace, isAliveIn } from '../../state/daemons.ts';
import { isElsewhere, stateOfProcess } from '../../state/processes.ts';
import type { StateFolder } from '../../state/state-folder.ts';

const POLL_MS = 20;
const ENDS_WITHIN_MS = 30_000;
/** A daemon that may be killed gets less time to end by itself. */
const FORCED_AFTER_MS = 5000;
/** The wait after SIGKILL, which takes effect late on a process that waits for a disk. */
const DIES_WITHIN_MS = 5000;

/**
 * Ends a daemon by signals, and waits until it has ended. With `force`, a daemon that does not end in time is killed. A signal is only sent if the process
 * of the record is still this very one, which the time of its start shows.
 * @throws UserError if it does not end, belongs to another user, or runs in another container
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
    throw new UserError(`the daemon (pid ${daemon.pid}) has not ended; kgraphfs stop --force kills it`);
  signal(daemon, 'SIGKILL');
  if (!(await hasEnded(state, daemon, DIES_WITHIN_MS)))
    throw new UserError(`the daemon (pid ${daemon.pid}) cannot be killed`);
}

/** The error for daemons in other containers, which no signal reaches from here. */
export function outOfReach(daemons: readonly DaemonRecord[]): UserError {
  const places = daemons.map(daemonPlace).join(', ');
  return new UserError(
    `a daemon is running ${places}, and has to be ended there: kgraphfs stop --all, or end the container`,
  );
}

/** Waits for a daemon to end. @returns whether it is gone within this time */
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
    // The daemon has just ended.
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
