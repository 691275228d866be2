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

/** Hears how a daemon comes up. */
export interface DaemonListener {
  /** The tree is mounted, or the daemon runs without a mount. */
  up(status: StatusView): void;
  progress(status: StatusView): void;
  /** The first index is complete; or it could not be made, then with the reason. */
  ready(status: StatusView, failure: string | undefined): void;
}

export interface ServeOptions {
  readonly settings: Settings;
  /** Absolute, as the kernel lists it; undefined for a daemon without a mount. */
  readonly mountpoint?: string | undefined;
  readonly allowOther: boolean;
  readonly audit: boolean;
  readonly session?: string | undefined;
  /** The embeddings that search uses; undefined for none. */
  readonly embeddings?: EmbeddingSettings | undefined;
  /** The actor of deeds that have no other; undefined for the user of this process. */
  readonly actor: string | undefined;
  /** Undefined for the first driver that works. */
  readonly driver?: DriverName | undefined;
  readonly listener: DaemonListener;
  /** Gets the errors that occur later. */
  readonly log: Output;
}

/** How long a second signal waits at most for a helper that is mounting or unmounting. */
const LEAVES_WITHIN_MS = 10_000;
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Runs a daemon in this process, until it is signalled or unmounted.
 * @throws UserError if there can be no mount, or no daemon
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { settings, mountpoint, audit, session, embeddings, actor, listener, log } = options;
  let mounting: Promise<Mounted> | undefined;
  const leave = async (): Promise<never> => {
    // A helper that has begun to mount goes on after this process has ended, and what it then mounts would be dead.
    const unmounted = mounting?.then((mounted) => mounted.unmount());
    await Promise.race([unmounted?.catch(() => {}), delay(LEAVES_WITHIN_MS)]);
    process.exit(1);
  };
  const stopRequested = stopSignal(leave);
  // A daemon must not keep a folder from being unmounted or removed.
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
  // A daemon in an unknown state ends, and must not leave a dead mount behind.
  process.on('uncaughtException', (error) => {
    writeBug(log, 'daemon', error);
    void leave();
  });
  listener.up(daemon.status());
  await Promise.race([daemon.ended, stopRequested.then(() => stop(daemon, log))]);
}

/** @param onMounting called with the mount as soon as mounting begins */
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
 * @param leave called at the next one, to end without waiting for an orderly end
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
