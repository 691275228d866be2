import type { Settings } from '../config/settings.ts';
import type { EntryState } from '../context/candidates.ts';
import { after } from '../core/awaitable.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { damageOrReason, isDamage } from '../core/damage.ts';
import { ErrorLog } from '../core/error-log.ts';
import { reasonOf, UserError } from '../core/errors.ts';
import { type OpenedParts, openingParts } from '../core/opened-parts.ts';
import type { SubPath } from '../core/paths.ts';
import type { Awaitable, Hit, Query } from '../core/resolver.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { type GraphQueries, graphQueries } from '../graph/queries.ts';
import { answeredHere } from '../graph/slow-questions.ts';
import type { OpenMemory } from '../memory/open-memory.ts';
import { parsePlace } from '../memory/places.ts';
import type { Modules, OpenModules } from '../modules/modules.ts';
import type { OpenSearch, Switches } from '../retrieval/engine.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import type { LiteralSearch } from '../retrieval/literal.ts';
import { type SearchedTexts, searchText } from '../retrieval/text-search.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import { type StateFolder, stateFolderAt } from '../state/state-folder.ts';
import { openStore, type Store } from '../store/store.ts';
import { SystemFs } from '../vfs/system-fs.ts';
import { type Contexts, openContexts } from './contexts/contexts.ts';
import { lintText } from './lint-docs.ts';
import { LintFile } from './lint-file.ts';
import { searchOfProject } from './open-search.ts';
import { statusFiles } from './status-files.ts';
import { CommitThread } from './threads/commit-thread.ts';
import { SlowThread } from './threads/slow-thread.ts';
import { openTopics } from './topics.ts';
import { treeOf } from './tree.ts';
import { type AppVectors, type EmbeddingsWanted, openAppVectors } from './vectors/app-vectors.ts';
import { openWorkspace, type SessionChoice, type Workspace } from './workspace.ts';

/** An opened project: its index, what answers questions about it, and the tree that shows both. */
export interface App {
  readonly settings: Settings;
  readonly state: StateFolder;
  readonly store: Store;
  readonly graph: GraphQueries;
  readonly search: OpenSearch;
  /** How much of docs, graph and memory search can find. */
  searchFigures(): { readonly sources: number; readonly passages: number };
  readonly fs: SystemFs;
  readonly memory: OpenMemory;
  /** Contexts for questions, and summaries. */
  readonly contexts: Contexts;
  readonly workspace: Workspace;
  readonly errors: ErrorLog;
  /** Undefined where nobody configured embeddings. */
  readonly vectors: AppVectors | undefined;
  /** The configured modules and their states, without starting any. Undefined if none is configured. */
  modules(): Modules | undefined;
  /** Tells the tree which paths of the docs changed on disk. Default: any may have. */
  docsChanged(paths?: readonly SubPath[]): void;
  /** Opens the docs roots anew by their paths, where other folders may lie now. */
  docsReplaced(): void;
  /** Tells the tree that the graph has a new revision. */
  graphChanged(): void;
  /** Tells the tree that what `.kgraphfs/` shows changed. */
  statusChanged(): void;
  /**
   * Looks whether another process changed memory, pins or what search finds, and tells the tree.
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

export interface AppOptions {
  readonly settings: Settings;
  /** Folders inside the docs that are no docs. Absolute. */
  readonly excluded: readonly string[];
  /** What `status.json` says. Default: there is no such file, as without a daemon. */
  readonly status?: () => unknown;
  readonly clock?: Clock;
  /** The session to work in. Default: that of a command. */
  readonly session?: SessionChoice;
  /** The actor in the history for what no caller is known of. Default: the user of this process. */
  readonly actor?: string | undefined;
  /** Whether the history is kept. Default true. */
  readonly audit?: boolean;
  /** Whether slow work is done in other threads, so that this one goes on answering. Default false: in this thread. */
  readonly slowInThread?: boolean;
  /** Whose embeddings search uses; undefined for none. */
  readonly embeddings?: EmbeddingsWanted | undefined;
  /** Called when somebody looks into `modules/`. Default: there are none. */
  readonly openModules?: OpenModules | undefined;
  /** Parts of search to switch off. Default: none. */
  readonly searchSwitches?: Partial<Switches>;
}

/**
 * The composition root: opens all parts of a project. `tree.ts` gives each resolver the parts that it needs.
 * @throws UserError where the docs root or the index cannot be opened
 */
export function openApp(options: AppOptions): App {
  return openingParts((opened) => appOf(options, opened));
}

function appOf(options: AppOptions, opened: OpenedParts): App {
  const { settings, clock = systemClock, session = { kind: 'command' }, actor, audit = true } = options;
  const state = stateFolderAt(settings.state);
  const errors = new ErrorLog(clock);
  const hidden = [settings.state, ...options.excluded];
  const { limits, selection, maxDocumentBytes: maxBytes } = settings;
  const docsTask = { indexFile: state.indexFile, docs: selection, excluded: hidden, maxBytes };
  // No problems are reported from here: the indexer reports those of the docs.
  const folders = opened.add(new DocsFolders(selection, { excluded: hidden }));
  folders.openAll();
  const store = opened.add(openStore(state.indexFile, { readOnly: true }));
  const graph = graphQueries(store);
  const vectors =
    options.embeddings &&
    opened.add(
      openAppVectors(options.embeddings, { state, settings, excluded: hidden }, (reason) =>
        errors.add({ code: 'EIO', path: '/search', message: `embeddings: ${reason}` }),
      ),
    );
  const { lint, templates } = settings;
  const thread = options.slowInThread
    ? opened.add(new SlowThread({ ...docsTask, lint, templates }))
    : undefined;
  const searchTexts = ({ text, limit }: Query, where: SearchedTexts) =>
    thread?.searchTexts({ text, limit }, where) ?? searchText(folders, { text, limit }, maxBytes, where);
  const { commitsFile, indexFile } = state;
  const commits = opened.add(
    new CommitThread({ commitsFile, indexFile, settings: { selection, excluded: hidden, maxBytes } }),
  );
  const workspace = opened.add(openWorkspace({ state, limits, clock, errors, graph, session, actor, audit }));
  const { memory } = workspace;
  const search = opened.add(
    searchOfProject({
      searchFile: state.searchFile,
      memorySearchFile: state.memorySearchFile,
      memory: workspace.store.memory,
      historySearchFile: state.historySearchFile,
      history: workspace.store.history,
      clock,
      index: store,
      folders,
      maxBytes,
      settings: settings.search,
      literal: literalSearch(memory, (query) => searchTexts(query, 'all')),
      switches: options.searchSwitches,
      vectors,
    }),
  );
  const contexts = openContexts({
    engine: search.engine,
    parse: parseQuery,
    entryAt: (path) => entryAt(memory, path),
    revision: () => `${graph.revision()}.${memory.revision()}`,
    settings: settings.context,
    task: { ...docsTask, settings: settings.context },
    inThread: options.slowInThread ?? false,
  });
  const topics = openTopics();
  memory.onChange(() => {
    topics.answers.publish();
    search.followSoon();
  });
  let answersRevision = search.engine.revision();
  const lintFile = new LintFile(
    () => thread?.lintText() ?? lintText({ store, selection, excluded: hidden, choices: lint, templates }),
    clock,
    () => topics.status.publish(),
  );
  let openedModules: Modules | undefined;
  const modules = () => {
    openedModules ??= options.openModules?.({
      docs: selection,
      stateFolder: state.modulesFolder,
      report: (code, path, message) => errors.add({ code, path, message }),
    });
    return openedModules;
  };
  const tree = treeOf({
    selection,
    folders,
    store,
    graph,
    slow: thread ?? answeredHere(graph),
    commits,
    workspace,
    modules,
    search: search.engine,
    contexts,
    searchTexts,
    statusFiles: statusFiles({
      settings,
      store,
      errors,
      clock,
      lint: () => lintFile.shown(),
      status: options.status,
    }),
    topics,
    errors,
    clock,
  });
  const fs = new SystemFs(
    tree,
    (error, path) => errors.add({ code: 'EIO', path, message: stackOf(error) }),
    workspace.observer,
  );
  return {
    settings,
    state,
    store,
    graph,
    search: search.engine,
    searchFigures: () => search.figures(),
    fs,
    memory,
    contexts,
    workspace,
    errors,
    vectors,
    modules,
    docsChanged(paths) {
      topics.docs.publish(paths);
      lintFile.changed();
    },
    docsReplaced() {
      folders.reopen();
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
      thread?.close();
      contexts.close();
      vectors?.close();
      openedModules?.close();
      commits.close();
      workspace.close();
      search.close();
      store.close();
      folders.close();
    },
  };
}

/** Looks through all text, for where nothing is found otherwise. */
function literalSearch(
  memory: OpenMemory,
  searchDocs: (query: Query) => Awaitable<readonly Hit[]>,
): LiteralSearch {
  return (text, limit, kinds) => {
    const remembered = kinds.includes('memory') ? memory.search({ text, limit }) : [];
    const inDocs = kinds.includes('document') ? searchDocs({ text, limit }) : [];
    return after(inDocs, (found) => [...remembered, ...found].sort((a, b) => b.score - a.score));
  };
}

/** @param path of the mount */
function entryAt(memory: OpenMemory, path: string): EntryState | undefined {
  const place = parsePlace(path.slice('/context/memory/'.length));
  const entry = place && memory.get(place);
  if (entry === undefined) return undefined;
  const { content: _content, ...state } = entry;
  return state;
}

function stackOf(error: unknown): string {
  if (isDamage(error) || error instanceof UserError) return damageOrReason(error);
  return error instanceof Error ? (error.stack ?? error.message) : reasonOf(error);
}
