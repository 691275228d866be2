/**
 * The process of a daemon that `mount` or `start` started: receives its plan from there and tells how it comes up. An entry of its own
 * because a mount waits for it: it loads nothing of the command line.
 */

import { EXIT, isFsError, UserError } from '../../core/errors.ts';
import { stateFolderAt } from '../../state/state-folder.ts';
import { processIo } from '../io.ts';
import { failureText, reportError } from '../report-error.ts';
import { type DaemonMessage, type DaemonPlan, parseDaemonPlan } from './daemon-messages.ts';
import type { DaemonListener } from './serve.ts';

// What the log does not take, as on a disk that is full, is said to nobody; it would be a bug of the daemon, which is logged.
process.stderr.on('error', () => {});
process.once('message', (message) => void run(parseDaemonPlan(message)));

/** Ends the process: libfuse's threads would keep it alive. */
async function run({ flags, ...how }: DaemonPlan): Promise<never> {
  const { err, environment } = processIo();
  try {
    // Where all that cannot be loaded, the starter is told so.
    const [{ closeInherited }, { loadSettings }, { serve }] = await Promise.all([
      import('../../daemon/close-inherited.ts'),
      import('../../config/settings.ts'),
      import('./serve.ts'),
    ]);
    closeInherited();
    const settings = loadSettings(flags, process.cwd());
    await serve({
      ...how,
      settings: { ...settings, readOnly: how.readOnly },
      listener,
      log: err,
      actor: environment.actor,
    });
  } catch (error) {
    // A refusal has no stack that would say more.
    const isRefusal = error instanceof UserError || isFsError(error);
    if (!isRefusal) reportError(error, { err, debug: true });
    const message = isRefusal ? error.message : failureText(error, stateFolderAt(flags.state).logFile);
    await tell({ type: 'failed', message, isLogged: !isRefusal });
    process.exit(EXIT.cannotMount);
  }
  process.exit();
}

const listener: DaemonListener = {
  up: (status) => void tell({ type: 'up', status: { ...status } }),
  progress: (status) => void tell({ type: 'progress', status: { ...status } }),
  ready: (status, failure) =>
    void tell({ type: 'ready', status: { ...status }, ...(failure === undefined ? {} : { failure }) }),
};

/** The starter may have gone already: it waits only as long as it wants to know. */
function tell(message: DaemonMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });
}
