import { existsSync } from 'node:fs';
import type { ErrorLine } from '../../app/error-lines.ts';
import { docsView } from '../../core/docs-selection.ts';
import { UserError } from '../../core/errors.ts';
import { isoTime } from '../../core/iso-time.ts';
import { VERSION } from '../../core/version.ts';
import { type StatusView, schemaView } from '../../daemon/status-view.ts';
import { mountAt } from '../../fuse/mounted-points.ts';
import { type DaemonRecord, liveDaemons } from '../../state/daemons.ts';
import { isElsewhere } from '../../state/processes.ts';
import { refuseClosedFolder, type StateFolder } from '../../state/state-folder.ts';
import { readToldStatus } from '../../state/told-status.ts';
import { whyFull } from '../../store/disk-state.ts';
import type { CommonArguments } from '../command.ts';
import type { Io } from '../io.ts';
import { configuredModules } from '../module-texts.ts';
import { tellOfOldChoice } from '../old-choice.ts';
import { findPlace, findServedPlace } from '../project.ts';
import { askDaemon, type DaemonAnswer } from './ask-daemon.ts';
import { askMount } from './ask-mount.ts';
import { deadMounts } from './dead-mounts.ts';
import { lostMounts } from './lost-mounts.ts';
import { isOurs, notMounted, resolveMountPoint } from './mount-point.ts';
import { type MountStatus, mountStatusSchema } from './mount-status.ts';

/** The status of a project without a daemon: what its state folder tells, under the names of a daemon's status. */
export interface StoppedStatus
  extends Omit<
    StatusView,
    'state' | 'pid' | 'driver' | 'mountpoint' | 'started_at' | 'session' | 'mount' | 'watcher'
  > {
  readonly state: 'stopped';
  readonly pid: null;
  readonly driver: null;
  readonly mountpoint: null;
  readonly started_at: null;
  readonly session: null;
  readonly watcher: {
    readonly alive: false;
    readonly mode: null;
    readonly last_event_at: null;
    readonly reason: string;
  };
  readonly mount: null;
  /** The last lines of `.kgraphfs/errors.jsonl`. */
  readonly last_errors: readonly ErrorLine[];
}

/**
 * A daemon that does not answer: it has died, hangs, or cannot be reached through its mount; its mount is in another container and has to be asked there; or
 * it has no mount, and is just starting or ending, or has no room for its status.
 */
export interface MuteStatus {
  readonly state: Exclude<DaemonAnswer['kind'], 'alive'> | 'elsewhere' | 'changing' | 'untold';
  /** Null for a daemon without a mount. */
  readonly mountpoint: string | null;
  /** The process of the daemon, if it is known. */
  readonly pid?: number;
  /** What is mounted over it. */
  readonly by?: string;
  /** The id of its user, if that is another one. */
  readonly uid?: number;
  /** What keeps it from writing its status, and what to do about that. */
  readonly why?: string;
}

export type FoundStatus = MountStatus | StoppedStatus | MuteStatus;

/** The status of the mount at a folder. @throws UserError of status 3 if nothing of ours is mounted there */
export async function statusOfMount(folder: string, args: CommonArguments, io: Io): Promise<FoundStatus> {
  const mountpoint = await resolveMountPoint(folder, io.workingFolder());
  const mounted = await mountAt(mountpoint);
  if (!isOurs(mounted)) throw notMounted(mountpoint, mounted);
  await tellOfOldMount(mountpoint, args, io);
  return foundBy(await askMount(mountpoint), mountpoint);
}

/** If the mount belongs to the project of the current folder, warns of settings that it has not taken up. */
async function tellOfOldMount(mountpoint: string, args: CommonArguments, io: Io): Promise<void> {
  try {
    const place = await findServedPlace(args, io);
    const daemons = liveDaemons(place.state).filter((daemon) => daemon.mountpoint === mountpoint);
    await tellOfOldChoice(place, daemons, io);
  } catch (error) {
    // There need not be a project here.
    if (!(error instanceof UserError)) throw error;
  }
}

/** A status for each daemon and each dead mount, or that of the state folder if there are none. @throws UserError if the index cannot be read */
export async function statusOfProject(args: CommonArguments, io: Io): Promise<FoundStatus[]> {
  const place = await findServedPlace(args, io);
  const { state } = place;
  refuseClosedFolder(state);
  const daemons = liveDaemons(state);
  const dead = (await deadMounts(state)).map((mountpoint) => ({ state: 'dead' as const, mountpoint }));
  if (daemons.length === 0) {
    const found = [...(await lostMounts(state)), ...dead];
    return found.length > 0 ? found : [await stopped(args, io)];
  }
  await tellOfOldChoice(place, daemons, io);
  const live = await Promise.all(
    daemons.map(async (daemon): Promise<FoundStatus> => {
      const { mountpoint } = daemon;
      if (mountpoint === null) return told(state, daemon);
      if (isElsewhere(daemon)) return { state: 'elsewhere' as const, mountpoint };
      return foundBy(await askDaemon({ ...daemon, mountpoint }, state), mountpoint, daemon.pid);
    }),
  );
  return [...live, ...dead];
}

/** The status that a daemon without a mount reported last. */
export function told(state: StateFolder, daemon: DaemonRecord): FoundStatus {
  const status = readToldStatus(state, daemon);
  if (status === undefined) return untold(state);
  return mountStatusSchema.safeParse(status).data ?? { state: 'silent', mountpoint: null };
}

function untold(state: StateFolder): MuteStatus {
  const full = whyFull(state.indexFile);
  if (full === undefined) return { state: 'changing', mountpoint: null };
  return { state: 'untold', mountpoint: null, why: `${full.reason}; ${full.remedy}` };
}

function foundBy(answer: DaemonAnswer, mountpoint: string, pid?: number): FoundStatus {
  if (answer.kind === 'alive') return answer.status;
  const mute = { state: answer.kind, mountpoint };
  if (answer.kind === 'covered') return { ...mute, by: answer.by };
  if (answer.kind === 'private') return { ...mute, uid: answer.userId };
  return answer.kind === 'unmounted' && pid !== undefined ? { ...mute, pid } : mute;
}

async function stopped(args: CommonArguments, io: Io): Promise<StoppedStatus> {
  const { settings, state } = await findPlace(args, io, { keepsLast: true });
  return {
    state: 'stopped',
    pid: null,
    version: VERSION,
    driver: null,
    mountpoint: null,
    docs: docsView(settings.selection),
    state_dir: settings.state,
    started_at: null,
    session: null,
    memories: await countMemories(state),
    schema_map: schemaView(settings.docs, {
      file: settings.schemaMap,
      rules: settings.selection.schema,
      faults: [],
    }),
    watcher: { alive: false, mode: null, last_event_at: null, reason: 'no daemon is running' },
    search: { ...(await searchFigures(state)), embeddings: null, query_cache: null },
    modules: await configuredModules(settings, io.environment.variables),
    mount: null,
    ...(await indexFacts(state)),
  };
}

async function indexFacts({ indexFile }: StateFolder) {
  const indexing = { done: 0, total: 0, pending: 0, lag_ms: 0, last_indexed_at: null };
  if (!existsSync(indexFile))
    return {
      revision: 0,
      documents: 0,
      nodes: 0,
      edges: 0,
      sections: 0,
      indexing,
      errors: 0,
      last_errors: [],
    };
  const [{ graphQueries }, { openStore }, { latestErrors }] = await Promise.all([
    import('../../graph/queries.ts'),
    import('../../store/store.ts'),
    import('../../app/error-lines.ts'),
  ]);
  const store = openStore(indexFile, { readOnly: true });
  try {
    const { revision, totalNodes, totalEdges, sections, builtAtMs } = graphQueries(store).stats();
    const last_indexed_at = builtAtMs === undefined ? null : isoTime(builtAtMs);
    return {
      revision,
      documents: store.documents.count(),
      nodes: totalNodes,
      edges: totalEdges,
      sections,
      indexing: { ...indexing, last_indexed_at },
      errors: store.problems.count(),
      last_errors: latestErrors(store, []),
    };
  } finally {
    store.close();
  }
}

/** The figures of the docs and their graph alone: what was written to memory since the last search is only taken in by the next one. */
async function searchFigures({ searchFile }: StateFolder): Promise<{ sources: number; passages: number }> {
  if (!existsSync(searchFile)) return { sources: 0, passages: 0 };
  const { openSearchStore, figuresOf } = await import('../../store/search-store.ts');
  const store = openSearchStore(searchFile, { readOnly: true });
  try {
    return figuresOf(store);
  } finally {
    store.close();
  }
}

async function countMemories({ contextFile }: StateFolder): Promise<number> {
  if (!existsSync(contextFile)) return 0;
  const { openContextStore } = await import('../../store/context-store.ts');
  const store = openContextStore(contextFile, { mayBeOnlyRead: true });
  try {
    return store.memory.entries.count(Date.now());
  } finally {
    store.close();
  }
}
