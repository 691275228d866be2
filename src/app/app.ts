import { schemaMapNow } from '../config/schema-map-file.ts';
import type { Settings } from '../config/settings.ts';
import type { ErrorLog } from '../core/error-log.ts';
import type { ReadSoFar } from '../core/first-reading.ts';
import { type OpenedParts, openingParts } from '../core/opened-parts.ts';
import type { SubPath, VfsPath } from '../core/paths.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import type { GraphQueries } from '../graph/queries.ts';
import { answeredHere } from '../graph/slow-questions.ts';
import type { OpenMemory } from '../memory/open-memory.ts';
import type { Modules, OpenModules } from '../modules/modules.ts';
import type { OpenSearch } from '../retrieval/engine.ts';
import type { DocsFolders } from '../source/docs-folders.ts';
import type { StateFolder } from '../state/state-folder.ts';
import type { Store } from '../store/store.ts';
import { SystemFs } from '../vfs/system-fs.ts';
import type { Contexts } from './contexts/contexts.ts';
import { failureLine } from './failure-line.ts';
import { lintText } from './lint-docs.ts';
import { LintFile } from './lint-file.ts';
import { openParts, type Parts, type PartsOptions } from './parts.ts';
import { statusFiles } from './status-files.ts';
import { openTopics } from './topics.ts';
import { type TreeParts, treeOf } from './tree.ts';
import type { AppVectors } from './vectors/app-vectors.ts';
import type { Workspace } from './workspace.ts';

/** An open project: its index, what answers questions about it, and the tree that shows both. */
export interface App {
  readonly settings: Settings;
  readonly state: StateFolder;
  readonly store: Store;
  readonly graph: GraphQueries;
  readonly search: OpenSearch;
  /** How many sources and passages of docs, graph and memory search can find. */
  searchFigures(): { readonly sources: number; readonly passages: number };
  /** Calls a listener, as a search takes in memory, with how many entries are left. @returns ends that */
  onTakenIn(listener: (left: number) => void): () => void;
  readonly fs: SystemFs;
  /** The places of the docs roots that are shown. */
  readonly folders: Pick<DocsFolders, 'shown'>;
  readonly memory: OpenMemory;
  /** @throws UserError once another file than the one that was opened lies where the index was, or none */
  readonly refuseReplacedIndex: () => void;
  /** Contexts for questions, and summaries. */
  readonly contexts: Contexts;
  readonly readSoFar: ReadSoFar;
  readonly workspace: Workspace;
  readonly errors: ErrorLog;
  /** Undefined if no embeddings are configured. */
  readonly vectors: AppVectors | undefined;
  /** The configured modules and their states, without starting any. Undefined if none is configured. */
  modules(): Modules | undefined;
  /** Tells the tree which paths of the docs changed on disk. Default: any may have. */
  docsChanged(paths?: readonly SubPath[]): void;
  /** Opens the docs roots anew by their paths, where other folders may lie now, and tells the tree. */
  docsReplaced(): Promise<void>;
  /** Tells the tree that the graph has a new revision. */
  graphChanged(): void;
  /** Tells the tree that what `.kgraphfs/` shows changed. */
  statusChanged(): void;
  /**
   * Finds out whether another process has changed memory, pins or what search finds, and tells the tree.
   * @returns in how many milliseconds the next memory expires; undefined if none will
   */
  refresh(): number | undefined;
  /** Prepares search in idle moments, so that the first questions are as quick as later ones. */
  warmSearch(): void;
  /** From now on, reads commits by another schema map. */
  readBy(schema: SchemaRules | undefined): void;
  /** Frees memory of what can be read again. */
  dropCaches(): void;
  close(): void;
}

export interface AppOptions extends PartsOptions {
  /** The content of `status.json`. Default: there is no such file, as without a daemon. */
  readonly status?: () => unknown;
  /** The path or the name of the current schema map. Default: it is looked for. */
  readonly schemaMap?: () => string | undefined;
  /** Called when somebody looks into `modules/`. Default: there are none. */
  readonly openModules?: OpenModules | undefined;
}

/**
 * The composition root: opens all parts of a project. `parts.ts` opens what the tree stands on, `tree.ts` gives each resolver what it needs of it.
 * @throws UserError where the docs root or the index cannot be opened
 */
export function openApp(options: AppOptions): App {
  return openingParts((opened) => appOf(openParts(options, opened), options, opened));
}

function appOf(parts: Parts, options: AppOptions, opened: OpenedParts): App {
  const { settings, clock, state, errors, folders, store, commits, workspace, search } = parts;
  const { memory } = workspace;
  const topics = openTopics();
  memory.onChange(() => {
    topics.answers.publish();
    search.followSoon();
  });
  /** The revision up to which no change has to be told; undefined before anything was asked. */
  let answersRevision: string | undefined;
  const lintFile = lintFileOf(parts, () => topics.status.publish());
  const modules = onceOpened(() =>
    options.openModules?.({
      docs: settings.selection,
      stateFolder: state.modulesFolder,
      report: (code, path, message) => errors.add({ code, path, message }),
    }),
  );
  const fs = fsOf(parts, options, { topics, lintFile, modules: modules.opened });
  return {
    ...parts,
    search: search.engine,
    searchFigures: () => search.figures(),
    onTakenIn: (listener) => search.onTakenIn(listener),
    fs,
    memory,
    modules: modules.opened,
    docsChanged(paths) {
      topics.docs.publish(paths);
      lintFile.changed();
    },
    async docsReplaced() {
      await folders.reopen();
      parts.vectors?.docsAt(folders.found());
      topics.docs.publish();
      lintFile.changed();
    },
    graphChanged() {
      topics.graph.publish();
      lintFile.changed();
    },
    statusChanged: () => topics.status.publish(),
    refresh() {
      const nextMs = workspace.refresh();
      if (search.isBehind()) search.followSoon();
      else {
        const revision = search.engine.revision();
        if (revision !== answersRevision) topics.answers.publish();
        answersRevision = revision;
      }
      return nextMs === undefined ? undefined : nextMs - clock.nowMs();
    },
    readBy: (schema) => commits.readBy(schema),
    warmSearch: () => search.warmSoon(),
    dropCaches() {
      store.dropCache();
      search.dropCache();
      workspace.store.dropCache();
    },
    close() {
      lintFile.close();
      modules.close();
      opened.close();
    },
  };
}

/** The tree over the parts of a project, and what tells it of changes. */
function fsOf(
  parts: Parts,
  { status, schemaMap = () => schemaMapNow(parts.settings) }: AppOptions,
  { topics, lintFile, modules }: Pick<TreeParts, 'topics' | 'modules'> & { readonly lintFile: LintFile },
): SystemFs {
  const { settings, clock, errors, store, graph, thread, workspace, search } = parts;
  const tree = treeOf({
    ...parts,
    selection: settings.selection,
    slow: thread ?? answeredHere(graph),
    modules,
    search: search.engine,
    statusFiles: statusFiles({
      settings,
      store,
      errors,
      clock,
      schemaMap,
      lint: () => lintFile.shown(),
      status,
    }),
    topics,
  });
  const report = (error: unknown, path: VfsPath): void => {
    const { code, message } = failureLine(error);
    errors.add({ code, path, message });
  };
  return new SystemFs(tree, report, workspace.observer);
}

function lintFileOf(
  { settings, clock, store, thread, folders, hidden }: Parts,
  changed: () => void,
): LintFile {
  const { selection, lint, templates } = settings;
  return new LintFile(
    () =>
      thread?.lintText(folders.found()) ??
      lintText({ store, selection, excluded: hidden, choices: lint, templates }),
    clock,
    changed,
  );
}

/** The modules, which are opened when they are first needed. */
function onceOpened(open: () => Modules | undefined): { opened(): Modules | undefined; close(): void } {
  let modules: Modules | undefined;
  return {
    opened: () => (modules ??= open()),
    close: () => modules?.close(),
  };
}
