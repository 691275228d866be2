import type { Settings } from '../config/settings.ts';
import type { EntryState } from '../context/candidates.ts';
import { after } from '../core/awaitable.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { ErrorLog } from '../core/error-log.ts';
import type { ReadSoFar } from '../core/first-reading.ts';
import type { OpenedParts } from '../core/opened-parts.ts';
import type { Awaitable, Query } from '../core/resolver.ts';
import { WITHIN_MEMORY } from '../core/tree-points.ts';
import { type GraphQueries, graphQueries } from '../graph/queries.ts';
import { parsePlace } from '../memory/memory-places.ts';
import type { OpenMemory } from '../memory/open-memory.ts';
import type { Switches } from '../retrieval/engine.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import type { FoundTexts, LiteralSearch } from '../retrieval/literal.ts';
import { type SearchedTexts, searchText } from '../retrieval/text-search.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import { type StateFolder, stateFolderAt } from '../state/state-folder.ts';
import { whyKeptFromWriting } from '../store/disk-state.ts';
import { refuseReplacedIndex } from '../store/replaced-index.ts';
import { openStore, type Store } from '../store/store.ts';
import { type Contexts, type ContextsOptions, openContexts } from './contexts/contexts.ts';
import { type SearchOfProject, searchOfProject } from './open-search.ts';
import { CommitThread } from './threads/commit-thread.ts';
import type { QuestionThreadOptions } from './threads/question-thread.ts';
import { SlowThread } from './threads/slow-thread.ts';
import { type AppVectors, type EmbeddingsWanted, openAppVectors } from './vectors/app-vectors.ts';
import { openWorkspace, type SessionChoice, type Workspace } from './workspace.ts';

/** What has to be known to open a project. */
export interface PartsOptions {
  readonly settings: Settings;
  readonly clock?: Clock;
  /** The session to work in. Default: that of a command. */
  readonly session?: SessionChoice;
  /** The actor in the history for actions without a known caller. Default: the user of this process. */
  readonly actor?: string | undefined;
  /** Whether the history is kept. Default true. */
  readonly audit?: boolean;
  /** Whether slow work is done in other threads, so that this one goes on answering. Default false: in this thread. */
  readonly slowInThread?: boolean;
  /** The embeddings that search uses; undefined for none. */
  readonly embeddings?: EmbeddingsWanted | undefined;
  /** Whether the docs may be missing: then what was read of them before is used. Default false. */
  readonly mayMissDocs?: boolean | undefined;
  /** Parts of search to switch off. Default: none. */
  readonly searchSwitches?: Partial<Switches>;
}

/** The parts on which the tree of a project is based. */
export interface Parts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly state: StateFolder;
  readonly errors: ErrorLog;
  /** Folders inside the docs that are not docs, as absolute paths. */
  readonly hidden: readonly string[];
  readonly folders: DocsFolders;
  readonly store: Store;
  readonly graph: GraphQueries;
  /** @throws UserError once another file than the one that was opened lies where the index was, or none */
  readonly refuseReplacedIndex: () => void;
  /** Undefined if no embeddings are configured. */
  readonly vectors: AppVectors | undefined;
  /** Undefined if slow work is done in this thread. */
  readonly thread: SlowThread | undefined;
  readonly commits: CommitThread;
  readonly workspace: Workspace;
  readonly search: SearchOfProject;
  readonly contexts: Contexts;
  readonly readSoFar: ReadSoFar;
  /** Finds text in docs and modules as they are on disk. */
  searchTexts(query: Query, where: SearchedTexts): Awaitable<FoundTexts>;
}

/**
 * Opens the parts of a project, each after those that it needs.
 * @param opened collects what has to be closed
 * @throws UserError if the docs root or the index cannot be opened
 */
export function openParts(options: PartsOptions, opened: OpenedParts): Parts {
  const ground = openGround(options, opened);
  const { settings, clock, state, errors, graph } = ground;
  const { embeddings, slowInThread = false, session = { kind: 'command' }, actor, audit = true } = options;
  const vectors = embeddings && opened.add(vectorsOver(ground, embeddings));
  const { limits, lint, templates } = settings;
  const inThread = slowInThread ? { mayStart: ground.refuseReplacedIndex } : undefined;
  const thread = inThread
    ? opened.add(new SlowThread({ ...docsTask(ground), lint, templates }, inThread))
    : undefined;
  const searchTexts = textSearchOver(ground, thread);
  const commits = opened.add(commitsOver(ground, inThread));
  const workspace = opened.add(openWorkspace({ state, limits, clock, errors, graph, session, actor, audit }));
  const search = opened.add(
    searchOver({ ...ground, vectors, workspace, searchTexts }, options.searchSwitches),
  );
  const readSoFar = readingOver(ground, search);
  const contexts = opened.add(contextsOver({ ...ground, workspace, search, readSoFar }, inThread));
  return { ...ground, vectors, thread, commits, workspace, search, contexts, readSoFar, searchTexts };
}

/** The parts that the others need. */
type Ground = Pick<
  Parts,
  'settings' | 'clock' | 'state' | 'errors' | 'hidden' | 'folders' | 'store' | 'graph' | 'refuseReplacedIndex'
>;

function openGround(options: PartsOptions, opened: OpenedParts): Ground {
  const { settings, clock = systemClock, session, mayMissDocs: mayMiss = false } = options;
  const state = stateFolderAt(settings.state);
  const errors = new ErrorLog(clock);
  // The mount that is about to be made is not in the table of mounts yet.
  const hidden = [settings.state, ...(session?.kind === 'mount' ? [session.mountpoint] : [])];
  // No problems are reported from here: the indexer reports those of the docs.
  const folders = opened.add(new DocsFolders(settings.selection, { excluded: hidden, mayMiss }));
  if (!mayMiss) folders.openAll();
  const store = opened.add(openStore(state.indexFile, { readOnly: true }));
  return {
    settings,
    clock,
    state,
    errors,
    hidden,
    folders,
    store,
    graph: graphQueries(store),
    refuseReplacedIndex: refuseReplacedIndex(state.indexFile),
  };
}

/** What threads need to know of the docs. */
function docsTask({ settings, state, hidden }: Ground) {
  const { selection, maxDocumentBytes } = settings;
  return { indexFile: state.indexFile, docs: selection, excluded: hidden, maxBytes: maxDocumentBytes };
}

function vectorsOver(
  { settings, state, hidden, folders, errors }: Ground,
  wanted: EmbeddingsWanted,
): AppVectors {
  return openAppVectors(wanted, { state, settings, excluded: hidden, found: folders.found() }, (reason) =>
    errors.add({ code: 'EIO', path: '/search', message: `embeddings: ${reason}` }),
  );
}

function textSearchOver({ settings, folders }: Ground, thread: SlowThread | undefined): Parts['searchTexts'] {
  return ({ text, limit }, where) =>
    thread?.searchTexts({ text, limit }, where, folders.found()) ??
    searchText(folders, { text, limit }, settings.maxDocumentBytes, where);
}

function commitsOver(
  { settings, state, hidden }: Ground,
  options: QuestionThreadOptions | undefined,
): CommitThread {
  const { commitsFile, indexFile } = state;
  const { selection, maxDocumentBytes: maxBytes } = settings;
  return new CommitThread(
    { commitsFile, indexFile, settings: { selection, excluded: hidden, maxBytes } },
    options,
  );
}

function searchOver(
  parts: Ground & Pick<Parts, 'vectors' | 'workspace' | 'searchTexts'>,
  switches: PartsOptions['searchSwitches'],
): SearchOfProject {
  const { settings, clock, state, folders, store, vectors, workspace, searchTexts } = parts;
  return searchOfProject({
    searchFile: state.searchFile,
    memorySearchFile: state.memorySearchFile,
    memory: workspace.store.memory,
    historySearchFile: state.historySearchFile,
    history: workspace.store.history,
    clock,
    index: store,
    folders,
    maxBytes: settings.maxDocumentBytes,
    settings: settings.search,
    literal: literalSearch(workspace.memory, (query) => searchTexts(query, 'all')),
    switches,
    vectors,
  });
}

function readingOver({ state, store }: Ground, search: SearchOfProject): ReadSoFar {
  // Docs cannot be read into an index whose folder is read-only.
  const isBeingRead = () =>
    search.position() === undefined && whyKeptFromWriting(state.searchFile) === undefined;
  return () => (isBeingRead() ? store.documents.count() : undefined);
}

function contextsOver(
  parts: Ground & Pick<Parts, 'workspace' | 'search' | 'readSoFar'>,
  inThread: ContextsOptions['inThread'],
): Contexts {
  const { settings, folders, graph, workspace, search, readSoFar } = parts;
  const { memory } = workspace;
  return openContexts({
    engine: search.engine,
    parse: parseQuery,
    entryAt: (path) => entryAt(memory, path),
    revision: () => `${graph.revision()}.${memory.revision()}`,
    readSoFar,
    settings: settings.context,
    task: { ...docsTask(parts), settings: settings.context },
    inThread,
    found: () => folders.found(),
  });
}

/** Searches all text, for questions for which nothing is found otherwise. */
function literalSearch(
  memory: OpenMemory,
  searchDocs: (query: Query) => Awaitable<FoundTexts>,
): LiteralSearch {
  return (text, limit, kinds) => {
    const remembered = kinds.includes('memory') ? memory.search({ text, limit }) : [];
    const inDocs = kinds.includes('document') ? searchDocs({ text, limit }) : { hits: [], unread: [] };
    return after(inDocs, ({ hits, unread }) => ({
      hits: [...remembered, ...hits].sort((a, b) => b.score - a.score),
      unread,
    }));
  };
}

/** @param path in the mount */
function entryAt(memory: OpenMemory, path: string): EntryState | undefined {
  const place = parsePlace(path.slice(WITHIN_MEMORY.length));
  const entry = place && memory.get(place);
  if (entry === undefined) return undefined;
  const { content: _content, ...state } = entry;
  return state;
}
