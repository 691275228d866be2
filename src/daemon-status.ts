import type { App } from './app.ts';
import type { DriverName } from './config/schema.ts';
import type { IndexProgress } from './index-progress.ts';
import { VERSION } from './version.ts';

export type DaemonState = 'indexing' | 'ready' | 'stopping';

/** `.kgraphfs/status.json`, and what `kgraphfs status --json` prints. Times are ISO 8601, null where there is none. */
export interface StatusView {
  readonly state: DaemonState;
  readonly pid: number;
  readonly version: string;
  readonly driver: DriverName;
  readonly mountpoint: string;
  readonly docs: string;
  readonly state_dir: string;
  readonly started_at: string;
  readonly revision: number;
  readonly documents: number;
  readonly nodes: number;
  readonly edges: number;
  /** The session that this mount works in. */
  readonly session: string;
  readonly memories: number;
  readonly indexing: { readonly done: number; readonly total: number; readonly lag_ms: number };
  readonly watcher: { readonly alive: boolean; readonly last_event_at: string | null };
  /** Count of lines in `.kgraphfs/errors.jsonl`. */
  readonly errors: number;
}

/** What stays the same as long as a mount lives. */
export interface MountFacts {
  readonly mountpoint: string;
  readonly driver: DriverName;
  readonly startedMs: number;
}

/** How a mount is now. */
export function statusView(
  { settings, store, graph, errors, memory, workspace }: App,
  { mountpoint, driver, startedMs }: MountFacts,
  state: DaemonState,
  progress: IndexProgress,
): StatusView {
  const stats = graph.stats();
  return {
    state,
    pid: process.pid,
    version: VERSION,
    driver,
    mountpoint,
    docs: settings.docs,
    state_dir: settings.state,
    started_at: iso(startedMs),
    revision: stats.revision,
    documents: store.documents.count(),
    nodes: stats.totalNodes,
    edges: stats.totalEdges,
    session: workspace.session,
    memories: memory.count(),
    indexing: { done: progress.done, total: progress.total, lag_ms: progress.lagMs },
    watcher: {
      alive: progress.isWatching,
      last_event_at: progress.lastEventMs === undefined ? null : iso(progress.lastEventMs),
    },
    errors: store.problems.count() + errors.entries().length,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
