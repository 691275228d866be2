import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { daemonEnvironment } from '../../config/environment.ts';
import { EXIT, reasonOf, UserError } from '../../core/errors.ts';
import { programFile } from '../../core/program-file.ts';
import { addressSpaceLimit } from '../../disk/process-limits.ts';
import type { Io } from '../io.ts';
import { progressBar } from '../progress.ts';
import { type DaemonMessage, type DaemonPlan, parseDaemonMessage } from './daemon-messages.ts';
import { DAEMON_V8_FLAGS } from './daemon-v8-flags.ts';
import type { LogFile } from './log-file.ts';
import { incompleteIndex, type Started } from './mount-line.ts';
import type { MountStatus } from './mount-status.ts';

/** How long to wait for a first index if the caller did not ask to wait for all of it. */
const FIRST_INDEX_WITHIN_MS = 5000;

/** The daemon itself refused to start and gave a reason. */
export class DaemonRefusedError extends UserError {}

export interface StartOptions {
  readonly plan: DaemonPlan;
  readonly log: LogFile;
  /** Whether to wait for the first index, however long it takes. */
  readonly waitForAll: boolean;
  readonly io: Io;
}

/**
 * Starts a daemon in a session of its own, which inherits nothing from the caller but its log, and waits until it serves.
 * @throws UserError with the reason why it does not, or why its index is not complete; of status 3 if it was to mount
 */
export async function startDaemonProcess(options: StartOptions): Promise<Started> {
  const { plan, log, io } = options;
  const main = fileURLToPath(programFile('cli/mount/daemon-main.js'));
  // The mount point or state folder is an argument, so that a list of processes shows which daemon this is.
  const child = spawn(process.execPath, [...DAEMON_V8_FLAGS, main, plan.mountpoint ?? plan.flags.state], {
    argv0: 'kgraphfs',
    detached: true,
    env: daemonEnvironment(),
    stdio: ['ignore', log.descriptor, log.descriptor, 'ipc'],
  });
  // If the child was not started, which an event reports a moment later, there is no channel to send by.
  if (child.pid !== undefined) child.send(plan, () => {});
  const interrupted = new AbortController();
  const forward = (signal: NodeJS.Signals) => {
    interrupted.abort();
    child.kill(signal);
  };
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const bar = progressBar(io.err, 'indexing');
  try {
    return await comeUp(child, options, interrupted.signal, (status) => bar.update(status.indexing));
  } catch (error) {
    throw interrupted.signal.aborted
      ? new UserError('interrupted; no daemon stays', EXIT.interrupted)
      : error;
  } finally {
    bar.end();
    process.off('SIGINT', forward).off('SIGTERM', forward);
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/** Waits for the daemon to come up. @param interrupted the daemon was told to end: its end is waited for, whatever it reported before */
function comeUp(
  child: ChildProcess,
  { plan, log, waitForAll }: StartOptions,
  interrupted: AbortSignal,
  onProgress: (status: MountStatus) => void,
): Promise<Started> {
  let timer: NodeJS.Timeout | undefined;
  let isSettled = false;
  const started = new Promise<Started>((resolve, reject) => {
    /** @param why is asked only before this is settled: after that the starter closes the log, and its descriptor may belong to another file. */
    const fail = (why: () => UserError): void => {
      if (!isSettled) reject(why());
    };
    let latest: MountStatus;
    const come = (isReady: boolean) => {
      if (!interrupted.aborted) resolve({ status: latest, isReady });
    };
    const take = (message: DaemonMessage) => {
      if (message.type === 'failed') {
        fail(() => refusal(message, plan, log));
        return;
      }
      latest = message.status;
      switch (message.type) {
        case 'up':
          if (waitForAll) break;
          timer = setTimeout(() => come(false), FIRST_INDEX_WITHIN_MS);
          break;
        case 'progress':
          onProgress(latest);
          break;
        case 'ready':
          if (message.failure === undefined) come(true);
          else if (!interrupted.aborted) reject(incompleteIndex(latest.mountpoint, message.failure));
      }
    };
    child.on('message', (value) => {
      const message = parseDaemonMessage(value);
      if (message) take(message);
    });
    child.on('error', (error) =>
      fail(() => failed(withLog(`the daemon cannot be started: ${reasonOf(error)}`, log), plan)),
    );
    child.on('exit', (status, signal) => fail(() => failed(withLog(endOf(status, signal), log), plan)));
  });
  return started.finally(() => {
    isSettled = true;
    clearTimeout(timer);
  });
}

/** The reason that the daemon itself gave. Where it is in the log as well, the log is not shown beside it. */
function refusal(
  { message, isLogged }: Extract<DaemonMessage, { type: 'failed' }>,
  plan: DaemonPlan,
  log: LogFile,
): UserError {
  return isLogged ? failed(message, plan) : new DaemonRefusedError(withLog(message, log), failureOf(plan));
}

function endOf(status: number | null, signal: NodeJS.Signals | null): string {
  const limit = signal === null ? undefined : addressSpaceLimit();
  const why = limit === undefined ? '' : `: ${limit}`;
  return `the daemon ended before it was ready (${signal ?? `status ${status}`})${why}`;
}

function failed(reason: string, plan: DaemonPlan): UserError {
  return new UserError(reason, failureOf(plan));
}

function failureOf({ mountpoint }: DaemonPlan): 1 | 3 {
  return mountpoint === undefined ? EXIT.failed : EXIT.cannotMount;
}

/** Adds the end of the log to a reason, since libfuse and Node give some reasons only on standard error. */
function withLog(reason: string, log: LogFile): string {
  const tail = log.tail();
  return tail === '' ? reason : `${reason}\n${tail.replace(/^/gm, '  ')}`;
}
