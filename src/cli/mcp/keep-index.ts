import { UserError } from '../../core/errors.ts';
import { notePool } from '../../daemon/note-pool.ts';
import { LiveDocs } from '../../ingest/live-docs.ts';
import { liveDaemons } from '../../state/daemons.ts';
import { prepareStateFolder } from '../../state/state-folder.ts';
import { readToldStatus } from '../../state/told-status.ts';
import { openStore } from '../../store/store.ts';
import type { CommonArguments } from '../command.ts';
import type { Io } from '../io.ts';
import { keepModuleTexts } from '../module-texts.ts';
import { openLog } from '../mount/log-file.ts';
import { daemonPlan, planMount } from '../mount/mount-plan.ts';
import { mountStatusSchema } from '../mount/mount-status.ts';
import { startDaemonProcess } from '../mount/start-daemon-process.ts';
import { findServedPlace, howToRead, type Place } from '../project.ts';

/** How long to wait for a first index. After that, what there is of it is served. */
const FIRST_INDEX_WITHIN_MS = 5000;

/** As `findServedPlace`, but docs may only be missing while a daemon runs: where none does, one is to be started, which needs them. */
export function findPlaceToServe(args: CommonArguments, io: Io): Promise<Place> {
  return findServedPlace(args, io, { brokenMap: { keepsLast: true }, needsDaemon: true });
}

/**
 * Starts the daemon that keeps the index of a project, as `kgraphfs start` does. The daemon goes on when this process ends.
 * @throws UserError if it cannot be started
 */
export async function startKeeper(args: CommonArguments, place: Place, io: Io): Promise<void> {
  const how = {
    dir: undefined,
    wait: undefined,
    driver: undefined,
    allowOther: false,
    readOnly: undefined,
    audit: 'on',
    session: undefined,
  } as const;
  const plan = await planMount({ ...args, ...how }, io);
  prepareStateFolder(place.state);
  const log = openLog(place.state.logFile);
  try {
    await startDaemonProcess({ plan: daemonPlan(plan), log, waitForAll: false, io });
  } catch (error) {
    // Another client may have started a daemon at the same moment; and a daemon keeps what it can if not all docs can be read.
    if (!(error instanceof UserError) || liveDaemons(place.state).length === 0) throw error;
  } finally {
    log.close();
  }
}

/** How far a daemon without a mount is with its index; undefined if none tells. */
export function keeperProgress({ state }: Place): { done: number; total: number } | undefined {
  for (const daemon of liveDaemons(state)) {
    const status =
      daemon.mountpoint === null
        ? mountStatusSchema.safeParse(readToldStatus(state, daemon)).data
        : undefined;
    if (status !== undefined && status.state === 'indexing') return status.indexing;
  }
  return undefined;
}

/** Keeps the index in this process if no daemon is to do so. Resolves when all docs were looked at, or after some seconds. */
export async function keepIndexHere(
  place: Place,
  io: Io,
  onCrash: (error: unknown) => void,
): Promise<LiveDocs> {
  const { indexFile, searchFile } = place.state;
  notePool();
  prepareStateFolder(place.state);
  await keepModuleTexts(place.settings, io, 'due');
  // The index has to exist before anybody reads it.
  openStore(indexFile).close();
  const { docs, excluded, maxBytes, extractionsFile, rulesFile } = await howToRead(place);
  const live = new LiveDocs({
    docs,
    excluded,
    maxBytes,
    indexFile,
    searchFile,
    extractionsFile,
    rulesFile,
    onCrash,
  });
  const within = AbortSignal.timeout(FIRST_INDEX_WITHIN_MS);
  await new Promise<void>((resolve) => {
    within.addEventListener('abort', () => resolve(), { once: true });
    live.listen(({ type }) => {
      if (type === 'indexed' || type === 'failed') resolve();
    });
  });
  return live;
}

/** Opens something over an index that is kept in this process. If that fails, the index is no longer kept. */
export async function openOver<T>(live: LiveDocs | undefined, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await live?.stop();
    throw error;
  }
}
