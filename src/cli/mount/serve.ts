import { setTimeout as delay } from 'node:timers/promises';
import { wholeEnvironment } from '../../config/environment.ts';
import type { DriverName } from '../../config/schema.ts';
import type { Settings } from '../../config/settings.ts';
import { reasonOf } from '../../core/errors.ts';
import { isoTime } from '../../core/iso-time.ts';
import { startDaemon } from '../../daemon/daemon.ts';
import type { Daemon, MountWish } from '../../daemon/daemon-options.ts';
import type { StatusView } from '../../daemon/status-view.ts';
import type { Mounted } from '../../fuse/driver.ts';
import type { EmbeddingSettings } from '../../settings/embeddings.ts';
import type { Output } from '../io.ts';
import { configuredMark, modulesOpener, withModuleTexts } from '../module-texts.ts';
import { loadDriver } from './drivers.ts';

/** Who is told how a daemon comes up. */
export interface DaemonListener {
  /** The tree is there, or the daemon runs without one. */
  up(status: StatusView): void;
  progress(status: StatusView): void;
  /** The first index is complete, or could not be made: then with the reason. */
  ready(status: StatusView, failure: string | undefined): void;
}

export interface ServeOptions {
  readonly settings: Settings;
  /** Absolute, as the kernel lists it; undefined for a daemon without a mount. */
  readonly mountpoint?: string | undefined;
  readonly allowOther: boolean;
  readonly audit: boolean;
  readonly session?: string | undefined;
  /** Whose embeddings search uses; undefined for none. */
  readonly embeddings?: EmbeddingSettings | undefined;
  /** In whose name things are done that nobody else answers for; undefined for the user of this process. */
  readonly actor: string | undefined;
  /** Undefined for the first that works. */
  readonly driver?: DriverName | undefined;
  readonly listener: DaemonListener;
  /** Where what goes wrong later is written. */
  readonly log: Output;
}

/** For what a second signal waits for at most: a helper that mounts or unmounts. */
const LEAVES_WITHIN_MS = 10_000;
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Runs a daemon in this process, until it is signalled or unmounted.
 * @throws UserError where there can be no mount, or no daemon
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { settings, mountpoint, audit, session, embeddings, actor, listener, log } = options;
  let mounting: Promise<Mounted> | undefined;
  const leave = async (): Promise<never> => {
    // A helper that has begun to mount goes on without us, and what it mounts then would be dead.
    const unmounted = mounting?.then((mounted) => mounted.unmount());
    await Promise.race([unmounted?.catch(() => {}), delay(LEAVES_WITHIN_MS)]);
    process.exit(1);
  };
  const stopRequested = stopSignal(leave);
  // A daemon keeps no folder from being unmounted or removed.
  process.chdir('/');
  const variables = wholeEnvironment();
  const daemon = await startDaemon({
    settings: await withModuleTexts(settings, variables),
    mount:
      mountpoint === undefined
        ? undefined
        : await mountWish(mountpoint, options, (begun) => {
            mounting = begun;
          }),
    audit,
    session,
    embeddings,
    openModules: await modulesOpener(settings, variables),
    modulesMark: await configuredMark(settings, variables),
    actor,
    onProgress: listener.progress,
    onReady: listener.ready,
  });
  // A daemon in an unknown state serves nobody any longer, and leaves no dead mount behind.
  process.on('uncaughtException', (error) => {
    writeBug(log, 'daemon', error);
    void leave();
  });
  listener.up(daemon.status());
  await Promise.race([daemon.ended, stopRequested.then(() => stop(daemon, log))]);
}

/** @param onMounting told of the mount as soon as it is being made */
async function mountWish(
  mountpoint: string,
  { allowOther, driver, log }: ServeOptions,
  onMounting: (mounting: Promise<Mounted>) => void,
): Promise<MountWish> {
  const makeDriver = await loadDriver(driver);
  return {
    mountpoint,
    allowOther,
    driver: (report) => {
      const made = makeDriver((error, operation) => {
        writeBug(log, operation, error);
        report(error, operation);
      });
      return {
        ...made,
        mount(...how) {
          const mounting = made.mount(...how);
          onMounting(mounting);
          return mounting;
        },
      };
    },
  };
}

/**
 * Resolves at the first signal to stop.
 * @param leave called at the next one, which does not wait for an orderly end
 */
function stopSignal(leave: () => Promise<never>): Promise<void> {
  return new Promise((resolve) => {
    let received = 0;
    const receive = () => {
      received += 1;
      if (received === 1) resolve();
      else void leave();
    };
    for (const signal of STOP_SIGNALS) process.on(signal, receive);
  });
}

async function stop(daemon: Daemon, log: Output): Promise<void> {
  try {
    await daemon.stop();
  } catch (error) {
    log.write(`stop: ${reasonOf(error)}\n`);
  }
}

function writeBug(log: Output, operation: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.write(`${isoTime(Date.now())} ${operation}: ${text}\n`);
}
