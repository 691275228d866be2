import { reasonOf, UserError } from '../../core/errors.ts';
import type { Io } from '../io.ts';
import { progressBar } from '../progress.ts';
import { reportError } from '../report-error.ts';
import { closeInherited } from './close-inherited.ts';
import type { DaemonMessage } from './daemon-messages.ts';
import { incompleteIndex, reportMount } from './mount-line.ts';
import type { MountPlan } from './mount-plan.ts';
import { type DaemonListener, serve } from './serve.ts';

const MOUNT_FAILED = 3;

/**
 * Serves in this process, and ends it: libfuse's threads would keep it alive. Where another process started it, that
 * one is told how it comes up, else standard output.
 * @throws UserError where there can be no mount
 */
export async function mountInForeground(plan: MountPlan, io: Io): Promise<number> {
  const listener = process.connected ? channelListener() : terminalListener(plan.json, io);
  if (process.connected) closeInherited();
  try {
    await serve({ ...plan, listener, log: io.err });
  } catch (error) {
    if (!process.connected) throw error;
    // The starter tells the user what this log says, and the reason.
    if (!(error instanceof UserError)) reportError(error, { err: io.err, debug: true });
    await tell({ type: 'failed', message: reasonOf(error) });
    process.exit(MOUNT_FAILED);
  }
  process.exit();
}

function terminalListener(json: boolean, io: Io): DaemonListener {
  const bar = progressBar(io.err, 'indexing');
  return {
    mounted() {},
    progress: ({ indexing }) => bar.update(indexing),
    ready(status, failure) {
      bar.end();
      reportMount(io.out, { status: { ...status }, isReady: failure === undefined }, json);
      if (failure !== undefined) reportError(incompleteIndex(status.mountpoint, failure), io);
    },
  };
}

function channelListener(): DaemonListener {
  return {
    mounted: (status) => void tell({ type: 'mounted', status: { ...status } }),
    progress: (status) => void tell({ type: 'progress', status: { ...status } }),
    ready: (status, failure) =>
      void tell({ type: 'ready', status: { ...status }, ...(failure === undefined ? {} : { failure }) }),
  };
}

/** The starter may have gone already: it waits only as long as it wants to know. */
function tell(message: DaemonMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });
}
