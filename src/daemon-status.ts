import type { DriverName } from './config/schema.ts';

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
