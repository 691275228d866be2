import type { Io } from '../io.ts';
import { goOnWithLostOutput } from '../lost-output.ts';
import { progressBar } from '../progress.ts';
import { reportError } from '../report-error.ts';
import { incompleteIndex, reportMount } from './mount-line.ts';
import type { MountPlan } from './mount-plan.ts';
import { type DaemonListener, serve } from './serve.ts';

/**
 * Serves in this process, and then ends the process, which the threads of libfuse would keep alive.
 * @throws UserError if there can be no mount
 */
export async function mountInForeground(plan: MountPlan, io: Io): Promise<never> {
  // Programs use the mount, so it must not end because the reader of its first line goes away.
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
