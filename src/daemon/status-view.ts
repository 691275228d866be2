import { isAbsolute, relative } from 'node:path';
import type { App } from '../app/app.ts';
import type { DriverName } from '../config/schema.ts';
import { type DocsView, docsView } from '../core/docs-selection.ts';
import { isoTime } from '../core/iso-time.ts';
import { VERSION } from '../core/version.ts';
import type { MountFigures } from '../fuse/driver.ts';
import type { ModuleView } from '../modules/module-view.ts';
import type { MapFault } from '../schema/map-error.ts';
import type { EmbeddingView } from '../vectors/figures.ts';
import type { IndexProgress } from './index-progress.ts';
import type { SchemaState } from './schema-watch.ts';

export type DaemonState = 'indexing' | 'ready' | 'stopping';

/** The content of `.kgraphfs/status.json` and the output of `kgraphfs status --json`. Times are ISO 8601; null stands for none. */
export interface StatusView {
  readonly state: DaemonState;
  readonly pid: number;
  readonly version: string;
  /** Null, as is the mount point, if the daemon runs without a mount. */
  readonly driver: DriverName | null;
  readonly mountpoint: string | null;
  /** The docs root, or all roots if there are several. */
  readonly docs: DocsView;
  readonly state_dir: string;
  readonly started_at: string;
  readonly revision: number;
  readonly documents: number;
  readonly nodes: number;
  readonly edges: number;
  readonly sections: number;
  /** The session that this daemon works in. */
  readonly session: string;
  readonly memories: number;
  /** Reading of documents that have changed, and how far it is behind: how many changed paths wait, and for how long the oldest has waited. */
  readonly indexing: {
    readonly done: number;
    readonly total: number;
    readonly pending: number;
    readonly lag_ms: number;
    readonly last_indexed_at: string | null;
  };
  /**
   * How changes of the docs are noticed: as they happen (`events`), or by looking at everything from time to time (`scan`), since not all folders can be
   * watched; `reason` says why. They are not noticed while the docs root is gone.
   */
  readonly watcher: {
    readonly alive: boolean;
    readonly mode: 'events' | 'scan';
    readonly last_event_at: string | null;
    readonly reason: string | null;
  };
  /**
   * The schema map, by its path from the first docs root or by the name of a built-in one; null if there is none. If it is broken, `error` is its first fault,
   * with line and column, and the last good map stays in use: `rules` are then those of that one.
   */
  readonly schema_map: {
    readonly file: string;
    readonly rules: number;
    readonly error: string | null;
  } | null;
  readonly search: {
    /** What can be found of docs, graph and memory: the number of documents and other files, nodes and entries, and of the passages that they are cut into. */
    readonly sources: number;
    readonly passages: number;
    /** How many texts are embedded, for search by meaning; null if embeddings are not configured. */
    readonly embeddings: EmbeddingView | null;
    /** How many questions came since the daemon began, and how many were answered from the cache; null if no daemon runs. */
    readonly query_cache: {
      readonly questions: number;
      readonly hits: number;
      readonly hit_rate: number;
    } | null;
  };
  /** The modules that are mounted below `modules/`, and those that do not run, with the reason. */
  readonly modules: readonly ModuleView[];
  /** How many lines `.kgraphfs/errors.jsonl` has. */
  readonly errors: number;
  /** What the driver has done and what it holds, as of the last event or a few seconds ago; null if nothing is mounted. */
  readonly mount: MountFigures | null;
}

/** The facts that stay the same as long as a daemon lives. */
export interface DaemonFacts extends Pick<StatusView, 'mountpoint' | 'driver'> {
  readonly startedMs: number;
}

/** What changes while a daemon lives, apart from the project itself. */
export interface DaemonNow {
  readonly state: DaemonState;
  readonly progress: IndexProgress;
  readonly schema: SchemaState;
  /** The figures of the mount; undefined if nothing is mounted. */
  readonly figures: MountFigures | undefined;
}

/** The status of a daemon at this moment. */
export function statusView(
  {
    settings,
    folders,
    store,
    graph,
    errors,
    memory,
    workspace,
    vectors,
    search,
    searchFigures,
    modules,
  }: App,
  { mountpoint, driver, startedMs }: DaemonFacts,
  { state, progress, schema, figures }: DaemonNow,
): StatusView {
  const stats = graph.stats();
  return {
    state,
    pid: process.pid,
    version: VERSION,
    driver,
    mountpoint,
    docs: docsView({ folders: folders.shown() }),
    state_dir: settings.state,
    started_at: isoTime(startedMs),
    revision: stats.revision,
    documents: store.documents.count(),
    nodes: stats.totalNodes,
    edges: stats.totalEdges,
    sections: stats.sections,
    session: workspace.session,
    memories: memory.count(),
    indexing: {
      done: progress.done,
      total: progress.total,
      pending: progress.pending,
      lag_ms: progress.lagMs,
      last_indexed_at: isoTime(progress.lastIndexedMs) ?? null,
    },
    watcher: watcherView(progress),
    schema_map: schemaView(settings.docs, schema),
    search: {
      ...searchFigures(),
      embeddings: vectors?.figures() ?? null,
      query_cache: queryCacheView(search.figures()),
    },
    modules: modules()?.view() ?? [],
    errors: store.problems.count() + errors.entries().length,
    mount: figures ?? null,
  };
}

function queryCacheView({ questions, remembered }: ReturnType<App['search']['figures']>) {
  const rate = questions === 0 ? 0 : remembered / questions;
  return { questions, hits: remembered, hit_rate: Number(rate.toFixed(2)) };
}

export function schemaView(docs: string, { file, rules, faults }: SchemaState): StatusView['schema_map'] {
  if (file === undefined) return null;
  const name = mapName(docs, file);
  const [fault] = faults;
  const error = fault === undefined ? null : faultText(name, fault);
  return { file: name, rules: rules?.rules.length ?? 0, error };
}

/** The name of a map for places where no paths of this machine may be shown. @param docs the first docs root */
export function mapName(docs: string, file: string): string {
  return isAbsolute(file) ? relative(docs, file) : file;
}

export function faultText(name: string, { line, column, message }: MapFault): string {
  return `${name}:${line}:${column}: ${message}`;
}

function watcherView({ watch, lastEventMs }: IndexProgress): StatusView['watcher'] {
  return {
    alive: watch !== undefined && watch.kind !== 'missing',
    mode: watch?.kind === 'limited' ? 'scan' : 'events',
    last_event_at: isoTime(lastEventMs) ?? null,
    reason: watch === undefined || watch.kind === 'watching' ? null : watch.reason,
  };
}
