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

/** `.kgraphfs/status.json`, and what `kgraphfs status --json` prints. Times are ISO 8601, null where there is none. */
export interface StatusView {
  readonly state: DaemonState;
  readonly pid: number;
  readonly version: string;
  /** Null, as is the mount point, where the daemon runs without a mount. */
  readonly driver: DriverName | null;
  readonly mountpoint: string | null;
  /** The docs root, or all where there are several. */
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
  /** Of the documents that are being read, and how far behind the docs that is: changed paths that wait, and for how long the oldest did. */
  readonly indexing: {
    readonly done: number;
    readonly total: number;
    readonly pending: number;
    readonly lag_ms: number;
    readonly last_indexed_at: string | null;
  };
  /**
   * Whether changes of the docs are noticed: not where the docs root is gone. As they happen (`events`), or by looking at all from time to time
   * (`scan`), since not all folders can be watched; `reason` says why.
   */
  readonly watcher: {
    readonly alive: boolean;
    readonly mode: 'events' | 'scan';
    readonly last_event_at: string | null;
    readonly reason: string | null;
  };
  /**
   * The schema map, by its path from the first docs root or by the name of the ready one; null where there is none. Where it is wrong, `error` is the
   * first thing that is, with line and column, and the last good map stays in use: `rules` are its.
   */
  readonly schema_map: {
    readonly file: string;
    readonly rules: number;
    readonly error: string | null;
  } | null;
  readonly search: {
    /** What of docs, graph and memory can be found: documents and other files, nodes and entries, and what they are cut into. */
    readonly sources: number;
    readonly passages: number;
    /** How far texts are embedded, for search by meaning; null where nobody configured that. */
    readonly embeddings: EmbeddingView | null;
    /** Questions since the daemon began, and how many of them were answered from what it remembered; null where none runs. */
    readonly query_cache: {
      readonly questions: number;
      readonly hits: number;
      readonly hit_rate: number;
    } | null;
  };
  /** What is mounted below `modules/`, and what does not run and why. */
  readonly modules: readonly ModuleView[];
  /** Count of lines in `.kgraphfs/errors.jsonl`. */
  readonly errors: number;
  /** What the driver has done and keeps, as of the last event or a few seconds ago; null where nothing is mounted. */
  readonly mount: MountFigures | null;
}

/** What stays the same as long as a daemon lives. */
export interface DaemonFacts extends Pick<StatusView, 'mountpoint' | 'driver'> {
  readonly startedMs: number;
}

/** What changes while a daemon lives, beside the project itself. */
export interface DaemonNow {
  readonly state: DaemonState;
  readonly progress: IndexProgress;
  readonly schema: SchemaState;
  /** Of the mount; undefined where nothing is mounted. */
  readonly figures: MountFigures | undefined;
}

/** How a daemon is now. */
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

/** How a map is called where paths of this machine are shown to nobody. @param docs the first docs root */
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
