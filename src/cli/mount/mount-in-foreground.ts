import type { Io } from '../io.ts';
import { goOnWithLostOutput } from '../lost-output.ts';
import { progressBar } from '../progress.ts';
import { reportError } from '../report-error.ts';
import { incompleteIndex, reportMount } from './mount-line.ts';
import type { MountPlan } from './mount-plan.ts';
import { type DaemonListener, serve } from './serve.ts';

/**
 * Serves in this process, and ends it: libfuse's threads would keep it alive.
 * @throws UserError where there can be no mount
 */
export async function mountInForeground(plan: MountPlan, io: Io): Promise<never> {
  // A mount that programs use does not end with the reader of the line that says it is there.
  goOnWithLostOutput(io);
  await serve({
    ...plan,
    listener: terminalListener(plan.json, io),
    log: io.err,
    actor: io.environment.actor,
  });
  process.exit();
}

function terminalListener(json: boolean, io: Io): DaemonListener {
  const bar = progressBar(io.err, 'indexing');
  return {
    up() {},
    progress: ({ indexing }) => bar.update(indexing),
    ready(status, failure) {
      bar.end();
      reportMount(io.out, { status: { ...status }, isReady: failure === undefined }, json);
      if (failure !== undefined) reportError(incompleteIndex(status.mountpoint, failure), io);
    },
  };
}
