/**
 * The process of a daemon that `mount` or `start` started. It receives its plan from there and reports how it comes up. It is an entry point of its
 * own that loads nothing of the command line, since a mount waits for it.
 */

import { EXIT, isFsError, UserError } from '../../core/errors.ts';
import { stateFolderAt } from '../../state/state-folder.ts';
import { processIo } from '../io.ts';
import { failureText, reportError } from '../report-error.ts';
import { type DaemonMessage, type DaemonPlan, parseDaemonPlan } from './daemon-messages.ts';
import type { DaemonListener } from './serve.ts';

// If the log cannot be written, as on a full disk, nobody is told. Without this listener it would be a bug of the daemon, which would in turn be logged.
process.stderr.on('error', () => {});
process.once('message', (message) => void run(parseDaemonPlan(message)));

/** Runs the daemon and then ends the process, which the threads of libfuse would keep alive. */
async function run({ flags, ...how }: DaemonPlan): Promise<never> {
  const { err, environment } = processIo();
  try {
    // Loaded here, so that the starter is told if it cannot be loaded.
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
    // The stack of a refusal would add nothing.
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

/** Sends a message to the starter, which may have gone already: it waits only as long as it wants to know. */
function tell(message: DaemonMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });
}
