import { hash } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import { shownSettings } from '../config/shown-settings.ts';
import type { EntryState } from '../context/candidates.ts';
import { after } from '../core/awaitable.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { damageOrReason, isDamage } from '../core/damage.ts';
import { ErrorLog } from '../core/error-log.ts';
import { reasonOf, UserError } from '../core/errors.ts';
import { msToNs } from '../core/node-info.ts';
import { type OpenedParts, openingParts } from '../core/opened-parts.ts';
import { parsePath, type SubPath } from '../core/paths.ts';
import type { ChangeListener, Query, Unsubscribe } from '../core/resolver.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { type GraphQueries, graphQueries } from '../graph/queries.ts';
import { answeredHere } from '../graph/slow-questions.ts';
import { jsonText } from '../graph/view.ts';
import { versionOf } from '../ingest/stamp.ts';
import type { OpenMemory } from '../memory/open-memory.ts';
import { parsePlace } from '../memory/places.ts';
import type { Modules, OpenModules } from '../modules/modules.ts';
import { AGENTS_GUIDE } from '../resolvers/agents-guide.ts';
import { contextForResolver } from '../resolvers/context-for.ts';
import { contextSummaryResolver } from '../resolvers/context-summary.ts';
import { docsResolver } from '../resolvers/docs.ts';
import { fixedResolver } from '../resolvers/fixed.ts';
import { graphResolver } from '../resolvers/graph.ts';
import { graphAtResolver } from '../resolvers/graph-at.ts';
import { memoryGraphResolver } from '../resolvers/memory-graph.ts';
import { modulesResolver } from '../resolvers/modules.ts';
import { searchResolver } from '../resolvers/search.ts';
import { type StatusText, statusResolver } from '../resolvers/status.ts';
import type { OpenSearch, Switches } from '../retrieval/engine.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import type { LiteralSearch } from '../retrieval/literal.ts';
import { type SearchedTexts, searchText } from '../retrieval/text-search.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import { type StateFolder, stateFolderAt } from '../state/state-folder.ts';
import { openStore, type Store } from '../store/store.ts';
import { SystemFs } from '../vfs/system-fs.ts';
import { type Contexts, openContexts } from './contexts/contexts.ts';
import { errorLines } from './error-lines.ts';
import { lintText } from './lint-docs.ts';
import { LintFile } from './lint-file.ts';
import { searchOfProject } from './open-search.ts';
import { CommitThread } from './threads/commit-thread.ts';
import { SlowThread } from './threads/slow-thread.ts';
import { type AppVectors, type EmbeddingsWanted, openAppVectors } from './vectors/app-vectors.ts';
import { openWorkspace, type SessionChoice, type Workspace } from './workspace.ts';

/** One project, opened: its index, the questions one can ask, and the tree over both. */
export interface App {
  readonly settings: Settings;
  readonly state: StateFolder;
  readonly store: Store;
  readonly graph: GraphQueries;
  readonly search: OpenSearch;
  /** What of docs, graph and memory can be found. */
  searchFigures(): { readonly sources: number; readonly passages: number };
  readonly fs: SystemFs;
  readonly memory: OpenMemory;
  /** Contexts for questions, and summaries. */
  readonly contexts: Contexts;
  readonly workspace: Workspace;
  readonly errors: ErrorLog;
  /** Undefined where nobody configured embeddings. */
  readonly vectors: AppVectors | undefined;
  /** Which modules there are, and how they are; none was started for it. Undefined where none is configured. */
  modules(): Modules | undefined;
  /** Tells the tree which paths of the docs changed on disk: any may have, unless they are given. */
  docsChanged(paths?: readonly SubPath[]): void;
  /** Has the tree show the folders that lie where the docs roots lay, of those where there is one. */
  docsReplaced(): void;
  /** Tells the tree that the graph has a new revision. */
  graphChanged(): void;
  /** Tells the tree that what `.kgraphfs/` shows changed. */
  statusChanged(): void;
  /**
   * Looks whether another process changed memory, pins or what search finds, and tells.
   * @returns in how many milliseconds a memory will go by itself; undefined where none will
   */
  refresh(): number | undefined;
  /** Makes the first questions as quick as later ones, beside whatever else there is to do. */
  warmSearch(): void;
  /** Has commits be read by another schema map. */
  readBy(schema: SchemaRules | undefined): void;
  /** Lets go of what was read and can be read again. */
  dropCaches(): void;
  close(): void;
}

export interface AppOptions {
  readonly settings: Settings;
  /** Folders inside the docs that are no docs. Absolute. */
  readonly excluded: readonly string[];
  /** What `status.json` says; without it there is no such file, as where no daemon runs. */
  readonly status?: () => unknown;
  readonly clock?: Clock;
  /** The session that is worked in. Default: that of a command. */
  readonly session?: SessionChoice;
  /** In whose name things are done that nobody else answers for. Default: the user of this process. */
  readonly actor?: string | undefined;
  /** Whether the history is kept. Default true. */
  readonly audit?: boolean;
  /** Whether what takes long is done by a thread of its own, so that this one answers meanwhile. Default false: at once, here. */
  readonly slowInThread?: boolean;
  /** Whose embeddings search uses; undefined for none. */
  readonly embeddings?: EmbeddingsWanted | undefined;
  /** Called when somebody looks into `modules/`. Default: there are none. */
  readonly openModules?: OpenModules | undefined;
  /** Parts of search that are left out. Default: none is. */
  readonly searchSwitches?: Partial<Switches>;
}

/**
 * The composition root: the one place where resolvers meet what they stand on. Long because all of them do.
 * @throws UserError where the docs root or the index cannot be opened
 */
export function openApp(options: AppOptions): App {
  return openingParts((opened) => appOf(options, opened));
}

function appOf(
  {
    settings,
    excluded,
    status,
    clock = systemClock,
    session = { kind: 'command' },
    actor,
    audit = true,
    slowInThread = false,
    embeddings,
    openModules,
    searchSwitches,
  }: AppOptions,
  opened: OpenedParts,
): App {
  const state = stateFolderAt(settings.state);
  const errors = new ErrorLog(clock);
  const hidden = [settings.state, ...excluded];
  const { limits, selection, maxDocumentBytes: maxBytes } = settings;
  // What the docs hold that cannot be shown is noted by the indexer, once and for good.
  const folders = opened.add(new DocsFolders(selection, { excluded: hidden }));
  folders.openAll();
  const store = opened.add(openStore(state.indexFile, { readOnly: true }));
  const graph = graphQueries(store);
  const vectors =
    embeddings &&
    opened.add(
      openAppVectors(embeddings, { state, settings, excluded: hidden }, (reason) =>
        errors.add({ code: 'EIO', path: '/search', message: `embeddings: ${reason}` }),
      ),
    );
  const thread = slowInThread
    ? opened.add(
        new SlowThread({
          indexFile: state.indexFile,
          docs: selection,
          excluded: hidden,
          maxBytes,
          lint: settings.lint,
          templates: settings.templates,
        }),
      )
    : undefined;
  const searchTexts = ({ text, limit }: Query, where: SearchedTexts) =>
    thread?.searchTexts({ text, limit }, where) ?? searchText(folders, { text, limit }, maxBytes, where);
  const commits = opened.add(
    new CommitThread({
      commitsFile: state.commitsFile,
      indexFile: state.indexFile,
      settings: { selection, excluded: hidden, maxBytes },
    }),
  );
  const workspace = opened.add(openWorkspace({ state, limits, clock, errors, graph, session, actor, audit }));
  const { memory, memoryGraph } = workspace;
  const literal: LiteralSearch = (text, limit, kinds) => {
    const remembered = kinds.includes('memory') ? memory.search({ text, limit }) : [];
    const inDocs = kinds.includes('document') ? searchTexts({ text, limit }, 'all') : [];
    return after(inDocs, (found) => [...remembered, ...found].sort((a, b) => b.score - a.score));
  };
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
      literal,
      switches: searchSwitches,
      vectors,
    }),
  );
  const contexts = openContexts({
    engine: search.engine,
    parse: parseQuery,
    entryAt: (path) => entryAt(memory, path),
    revision: () => `${graph.revision()}.${memory.revision()}`,
    settings: settings.context,
    task: {
      indexFile: state.indexFile,
      docs: selection,
      excluded: hidden,
      maxBytes,
      settings: settings.context,
    },
    inThread: slowInThread,
  });
  const docs = new Topic();
  const graphTopic = new Topic();
  const statusTopic = new Topic();
  const answers = new Topic();
  docs.subscribe(() => answers.publish());
  graphTopic.subscribe(() => answers.publish());
  memory.onChange(() => {
    answers.publish();
    search.followSoon();
  });
  let answersRevision = search.engine.revision();
  const startedNs = msToNs(clock.nowMs());
  const remembered = new Map<string, StatusText>();

  /** The time of a text is that of its last change, so it is kept beside the text. */
  function dated(name: string, text: string): StatusText {
    const before = remembered.get(name);
    if (before?.text === text) return before;
    const now = { text, version: hash('sha1', text), modifiedNs: msToNs(clock.nowMs()) };
    remembered.set(name, now);
    return now;
  }

  const lintFile = new LintFile(
    () =>
      thread?.lintText() ??
      lintText({ store, selection, excluded: hidden, choices: settings.lint, templates: settings.templates }),
    clock,
    () => statusTopic.publish(),
  );
  let openedModules: Modules | undefined;
  const modules = () => {
    openedModules ??= openModules?.({
      docs: selection,
      stateFolder: state.modulesFolder,
      report: (code, path, message) => errors.add({ code, path, message }),
    });
    return openedModules;
  };
  const fs = new SystemFs(
    [
      { point: parsePath('/'), resolver: fixedResolver('root', rootTree(), startedNs, 'the tree') },
      {
        point: parsePath('/docs'),
        resolver: docsResolver({
          files: folders,
          indexedVersionOf: (path) => indexedVersion(store, path),
          search: (query) => searchTexts(query, 'docs'),
          subscribe: docs.subscribe,
        }),
      },
      {
        point: parsePath('/graph'),
        resolver: graphResolver({
          graph,
          slow: thread ?? answeredHere(graph),
          memory: memoryGraph,
          subscribe: graphTopic.subscribe,
        }),
      },
      { point: parsePath('/graph/at'), resolver: graphAtResolver(commits, startedNs) },
      {
        point: parsePath('/graph/memory'),
        resolver: memoryGraphResolver({ graph: memoryGraph, subscribe: graphTopic.subscribe }),
      },
      ...workspace.mounts,
      {
        point: parsePath('/modules'),
        resolver: modulesResolver(
          modules,
          startedNs,
          selection.modules && ((query) => searchTexts(query, 'modules')),
        ),
      },
      {
        point: parsePath('/search'),
        resolver: searchResolver({
          engine: search.engine,
          pins: workspace.pins,
          similar: (text, limit) => (thread ?? answeredHere(graph)).similar(text, limit),
          subscribe: answers.subscribe,
          record: workspace.record,
          errors,
          clock,
          startedMs: clock.nowMs(),
        }),
      },
      {
        point: parsePath('/context/for'),
        resolver: contextForResolver({
          make: async (question) => {
            const { manifest, text } = await contexts.build(question);
            return { text, changedMs: manifest.changedMs, isPassing: manifest.lack !== undefined };
          },
          revision: () => search.engine.revision(),
          subscribe: answers.subscribe,
          startedMs: clock.nowMs(),
        }),
      },
      {
        point: parsePath('/context/summary'),
        resolver: contextSummaryResolver({
          docsAt: graph.docsAt,
          make: async (path) => {
            const text = await contexts.summary(path);
            return text === undefined ? undefined : { text, changedMs: graph.builtAtMs() ?? 0 };
          },
          revision: () => search.engine.revision(),
          subscribe: answers.subscribe,
          startedMs: clock.nowMs(),
        }),
      },
      {
        point: parsePath('/.kgraphfs'),
        resolver: statusResolver(
          {
            'config.json': () => dated('config.json', jsonText(shownSettings(settings))),
            // It names what is below /context.
            'errors.jsonl': () => ({ ...dated('errors.jsonl', errorText(store, errors)), isPrivate: true }),
            'lint.jsonl': () => lintFile.shown(),
            ...(status ? { 'status.json': () => dated('status.json', jsonText(status())) } : {}),
          },
          statusTopic.subscribe,
        ),
      },
    ],
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
      docs.publish(paths);
      lintFile.changed();
    },
    docsReplaced() {
      folders.reopen();
      docs.publish();
      lintFile.changed();
    },
    graphChanged() {
      graphTopic.publish();
      lintFile.changed();
    },
    statusChanged: () => statusTopic.publish(),
    refresh() {
      const nextMs = workspace.refresh();
      if (search.isBehind()) search.followSoon();
      else {
        const revision = search.engine.revision();
        if (revision !== answersRevision) answers.publish();
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

/** @param path of the mount */
function entryAt(memory: OpenMemory, path: string): EntryState | undefined {
  const place = parsePlace(path.slice('/context/memory/'.length));
  const entry = place && memory.get(place);
  if (entry === undefined) return undefined;
  const { content: _content, ...state } = entry;
  return state;
}

function rootTree() {
  return { 'AGENTS.md': AGENTS_GUIDE, 'CLAUDE.md': { linkTo: 'AGENTS.md' } };
}

function indexedVersion(store: Store, path: string) {
  const row = store.documents.get(path);
  return row && { indexedAtMs: row.indexedMs, ...versionOf(row.stamp) };
}

function errorText(store: Store, errors: ErrorLog): string {
  return errorLines(store, errors.entries())
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

function stackOf(error: unknown): string {
  if (isDamage(error) || error instanceof UserError) return damageOrReason(error);
  return error instanceof Error ? (error.stack ?? error.message) : reasonOf(error);
}

const ALL = ['' as SubPath];

/** Tells its listeners which paths of a subtree changed: all of it, unless said otherwise. */
class Topic {
  readonly #listeners = new Set<ChangeListener>();

  readonly subscribe = (listener: ChangeListener): Unsubscribe => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly publish = (paths: readonly SubPath[] = ALL): void => {
    if (paths.length === 0) return;
    for (const listener of this.#listeners) listener(paths);
  };
}
