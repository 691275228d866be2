import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { reasonOf, UserError } from '../../core/errors.ts';
import type { Io } from '../io.ts';
import { progressBar } from '../progress.ts';
import { type DaemonMessage, parseDaemonMessage } from './daemon-messages.ts';
import type { LogFile } from './log-file.ts';
import type { Started } from './mount-line.ts';
import type { MountStatus } from './mount-status.ts';

const MOUNT_FAILED = 3;
/** How long a first index is waited for, where nobody asked to wait for all of it. */
const FIRST_INDEX_WITHIN_MS = 5000;

export interface StartOptions {
  /** The command line of the daemon, without the program. */
  readonly tokens: readonly string[];
  readonly log: LogFile;
  /** Waits for the first index however long it takes. */
  readonly waitForAll: boolean;
  readonly io: Io;
}

/**
 * Starts a daemon in a session of its own, holding nothing of the caller's but its log, and waits until it serves.
 * @throws UserError of status 3 with the reason why it does not
 */
export async function startDaemonProcess(options: StartOptions): Promise<Started> {
  const { tokens, log, io } = options;
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  const child = spawn(process.execPath, [main, ...tokens], {
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor, 'ipc'],
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const bar = progressBar(io.err, 'indexing');
  try {
    return await comeUp(child, options, (status) => bar.update(status.indexing));
  } finally {
    bar.end();
    process.off('SIGINT', forward).off('SIGTERM', forward);
    if (child.connected) child.disconnect();
    child.unref();
  }
}

function comeUp(
  child: ChildProcess,
  { log, waitForAll }: StartOptions,
  onProgress: (status: MountStatus) => void,
): Promise<Started> {
  return new Promise((resolve, reject) => {
    let latest: MountStatus | undefined;
    let timer: NodeJS.Timeout | undefined;
    const succeed = (started: Started) => {
      clearTimeout(timer);
      resolve(started);
    };
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new UserError(withLog(reason, log), MOUNT_FAILED));
    };
    const goOn = () => {
      if (latest) succeed({ status: latest, isReady: false, failure: undefined });
    };
    const take = (message: DaemonMessage) => {
      if (message.type === 'failed') return fail(message.message);
      latest = message.status;
      if (message.type === 'progress') onProgress(message.status);
      if (message.type === 'mounted' && !waitForAll) timer = setTimeout(goOn, FIRST_INDEX_WITHIN_MS);
      if (message.type === 'ready') {
        const { status, failure } = message;
        succeed({ status, isReady: failure === undefined, failure });
      }
    };
    child.on('message', (value) => {
      const message = parseDaemonMessage(value);
      if (message) take(message);
    });
    child.on('error', (error) => fail(`the daemon cannot be started: ${reasonOf(error)}`));
    child.on('exit', (status, signal) =>
      fail(`the daemon ended before it was ready (${signal ?? `status ${status}`})`),
    );
  });
}

/** libfuse and Node say some reasons nowhere but on standard error. */
function withLog(reason: string, log: LogFile): string {
  const tail = log.tail();
  return tail === '' ? reason : `${reason}\n${tail.replace(/^/gm, '  ')}`;
}
