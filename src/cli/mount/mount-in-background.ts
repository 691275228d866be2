import { docsViewText } from '../../core/docs-selection.ts';
import { EXIT, UserError } from '../../core/errors.ts';
import { mountAt } from '../../fuse/mounted-points.ts';
import { prepareStateFolder } from '../../state/state-folder.ts';
import { printableName } from '../../text/printable.ts';
import type { Io } from '../io.ts';
import { askMount, type MountAnswer } from './ask-mount.ts';
import { openLog } from './log-file.ts';
import { reportMount } from './mount-line.ts';
import { daemonPlan, type MountPlan } from './mount-plan.ts';
import { isOurs } from './mount-point.ts';
import { startDaemonProcess } from './start-daemon-process.ts';

/**
 * Starts a daemon and reports its mount.
 * @returns 0
 * @throws UserError with the reason why there is no daemon or no mount, or why there is one without a complete index
 */
export async function mountInBackground(plan: MountPlan, io: Io): Promise<number> {
  const { state, mountpoint, waitForAll, json } = plan;
  if (mountpoint !== undefined) await refuseSecond(mountpoint);
  prepareStateFolder(state);
  const log = openLog(state.logFile);
  try {
    const started = await startDaemonProcess({ plan: daemonPlan(plan), log, waitForAll, io });
    reportMount(io.out, started, json);
    return 0;
  } finally {
    log.close();
  }
}

/** Refuses a mount point that has a live mount. A dead mount is taken over by the daemon. @throws UserError */
async function refuseSecond(mountpoint: string): Promise<void> {
  if (!isOurs(await mountAt(mountpoint))) return;
  const answer = await askMount(mountpoint);
  if (answer.kind === 'dead') return;
  throw new UserError(
    `kgraphfs is already mounted at ${printableName(mountpoint)}${whatIsThere(answer)}`,
    EXIT.cannotMount,
  );
}

function whatIsThere(answer: MountAnswer): string {
  switch (answer.kind) {
    case 'alive':
      return ` (pid ${answer.status.pid}, docs ${docsViewText(answer.status.docs)})`;
    case 'private':
      return ` by another user (uid ${answer.userId}), and only that user can ask it`;
    default:
      return ', and does not answer; kgraphfs unmount --force removes it';
  }
}
