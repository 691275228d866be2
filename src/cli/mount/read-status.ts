import { existsSync } from 'node:fs';
import { mountAt } from '../../fuse/mounted-points.ts';
import { liveDaemons } from '../../state/daemons.ts';
import { VERSION } from '../../version.ts';
import type { CommonArguments } from '../command.ts';
import type { Io } from '../io.ts';
import { findPlace } from '../project.ts';
import { askMount } from './ask-mount.ts';
import { isOurs, resolveMountPoint } from './mount-point.ts';
import type { MountStatus } from './mount-status.ts';

/** A project that is not mounted: what its index holds, under the names of a mount's status. */
export interface StoppedStatus {
  readonly state: 'stopped';
  readonly pid: null;
  readonly version: string;
  readonly driver: null;
  readonly mountpoint: null;
  readonly docs: string;
  readonly state_dir: string;
  readonly started_at: null;
  readonly revision: number;
  readonly documents: number;
  readonly nodes: number;
  readonly edges: number;
  readonly memories: number;
  readonly indexing: { readonly done: number; readonly total: number; readonly lag_ms: number };
  readonly watcher: { readonly alive: boolean; readonly last_event_at: null };
  readonly errors: number;
}

/** A mount that says nothing: its daemon has died, or hangs. */
export interface MuteStatus {
  readonly state: 'dead' | 'silent';
  readonly mountpoint: string;
}

export type FoundStatus = MountStatus | StoppedStatus | MuteStatus;

/** @throws UserError where the folder is no mount and there is no project either */
export async function statusOfMount(folder: string, args: CommonArguments, io: Io): Promise<FoundStatus> {
  const mountpoint = await resolveMountPoint(folder, io.workingFolder());
  return isOurs(await mountAt(mountpoint)) ? ask(mountpoint) : stopped(args, io);
}

/** One for each mount, or that of the index where there is none. @throws UserError where the index cannot be read */
export async function statusOfProject(args: CommonArguments, io: Io): Promise<FoundStatus[]> {
  const { state } = await findPlace(args, io);
  const daemons = liveDaemons(state);
  if (daemons.length === 0) return [await stopped(args, io)];
  return Promise.all(daemons.map(({ mountpoint }) => ask(mountpoint)));
}

async function ask(mountpoint: string): Promise<FoundStatus> {
  const answer = await askMount(mountpoint);
  return answer.kind === 'alive' ? answer.status : { state: answer.kind, mountpoint };
}

async function stopped(args: CommonArguments, io: Io): Promise<StoppedStatus> {
  const { settings, state } = await findPlace(args, io);
  return {
    state: 'stopped',
    pid: null,
    version: VERSION,
    driver: null,
    mountpoint: null,
    docs: settings.docs,
    state_dir: settings.state,
    started_at: null,
    memories: 0,
    indexing: { done: 0, total: 0, lag_ms: 0 },
    watcher: { alive: false, last_event_at: null },
    ...(await indexCounts(state.indexFile)),
  };
}

async function indexCounts(indexFile: string) {
  if (!existsSync(indexFile)) return { revision: 0, documents: 0, nodes: 0, edges: 0, errors: 0 };
  const [{ graphQueries }, { openStore }] = await Promise.all([
    import('../../graph/queries.ts'),
    import('../../store/store.ts'),
  ]);
  const store = openStore(indexFile, { readOnly: true });
  try {
    const { revision, totalNodes, totalEdges } = graphQueries(store).stats();
    const documents = store.documents.count();
    return { revision, documents, nodes: totalNodes, edges: totalEdges, errors: store.problems.count() };
  } finally {
    store.close();
  }
}
