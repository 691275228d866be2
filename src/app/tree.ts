import { after } from '../core/awaitable.ts';
import type { Clock } from '../core/clock.ts';
import type { DocsSelection } from '../core/docs-selection.ts';
import type { ErrorLog } from '../core/error-log.ts';
import type { ReadSoFar } from '../core/first-reading.ts';
import { msToNs } from '../core/node-info.ts';
import { parsePath, type SubPath } from '../core/paths.ts';
import type { Awaitable, Query, Resolver } from '../core/resolver.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { SlowQuestions } from '../graph/slow-questions.ts';
import { versionOf } from '../ingest/stamp.ts';
import type { Modules } from '../modules/modules.ts';
import { AGENTS_GUIDE } from '../resolvers/agents-guide.ts';
import { contextForResolver } from '../resolvers/context-for.ts';
import { contextSummaryResolver } from '../resolvers/context-summary.ts';
import { docsResolver } from '../resolvers/docs.ts';
import { fixedResolver } from '../resolvers/fixed.ts';
import { graphResolver } from '../resolvers/graph.ts';
import { type CommitPages, graphAtResolver } from '../resolvers/graph-at.ts';
import { memoryGraphResolver } from '../resolvers/memory-graph.ts';
import { modulesResolver } from '../resolvers/modules.ts';
import { searchResolver } from '../resolvers/search.ts';
import { type StatusText, statusResolver } from '../resolvers/status.ts';
import type { OpenSearch } from '../retrieval/engine.ts';
import type { FoundTexts } from '../retrieval/literal.ts';
import type { SearchedTexts } from '../retrieval/text-search.ts';
import type { DocsFolders } from '../source/docs-folders.ts';
import type { Store } from '../store/store.ts';
import type { Mount } from '../vfs/mount-table.ts';
import type { Contexts } from './contexts/contexts.ts';
import type { Topics } from './topics.ts';
import type { Workspace } from './workspace.ts';

/** What the tree is based on. */
export interface TreeParts {
  readonly selection: DocsSelection;
  readonly folders: DocsFolders;
  readonly store: Store;
  readonly graph: GraphQueries;
  readonly slow: SlowQuestions;
  readonly commits: CommitPages;
  readonly workspace: Workspace;
  /** Undefined if none is configured. */
  readonly modules: () => Modules | undefined;
  readonly search: OpenSearch;
  readonly contexts: Contexts;
  readonly readSoFar: ReadSoFar;
  /** Finds text in docs and modules as they are on disk. */
  readonly searchTexts: (query: Query, where: SearchedTexts) => Awaitable<FoundTexts>;
  readonly statusFiles: Readonly<Record<string, () => StatusText>>;
  readonly topics: Topics;
  readonly errors: ErrorLog;
  readonly clock: Clock;
}

/** The mount table: the resolver of each subtree. */
export function treeOf(parts: TreeParts): Mount[] {
  const startedMs = parts.clock.nowMs();
  return [
    mount('/', fixedResolver('root', rootTree(), msToNs(startedMs), 'the tree')),
    ...docsMounts(parts, startedMs),
    ...graphMounts(parts, startedMs),
    ...parts.workspace.mounts,
    ...answerMounts(parts, startedMs),
    mount('/.kgraphfs', statusResolver(parts.statusFiles, parts.topics.status.subscribe)),
  ];
}

function docsMounts(
  { selection, folders, store, modules, searchTexts, topics }: TreeParts,
  startedMs: number,
): Mount[] {
  const hitsIn = (where: SearchedTexts) => (query: Query) =>
    after(searchTexts(query, where), ({ hits, unread }) => {
      for (const path of unread) query.onUnread?.(path as SubPath);
      return hits;
    });
  const searchModules = selection.modules && hitsIn('modules');
  return [
    mount(
      '/docs',
      docsResolver({
        files: folders,
        indexedVersionOf: (path) => indexedVersion(store, path),
        search: hitsIn('docs'),
        subscribe: topics.docs.subscribe,
      }),
    ),
    mount('/modules', modulesResolver(modules, msToNs(startedMs), searchModules)),
  ];
}

function graphMounts({ graph, slow, commits, workspace, topics }: TreeParts, startedMs: number): Mount[] {
  const { subscribe } = topics.graph;
  const { memoryGraph } = workspace;
  return [
    mount('/graph', graphResolver({ graph, slow, memory: memoryGraph, subscribe })),
    mount('/graph/at', graphAtResolver(commits, msToNs(startedMs))),
    mount('/graph/memory', memoryGraphResolver({ graph: memoryGraph, subscribe })),
  ];
}

/** Subtrees in which names are questions. */
function answerMounts(
  { graph, slow, workspace, search, contexts, readSoFar, topics, errors, clock }: TreeParts,
  startedMs: number,
): Mount[] {
  const { subscribe } = topics.answers;
  const revision = () => search.revision();
  return [
    mount(
      '/search',
      searchResolver({
        engine: search,
        pins: workspace.pins,
        similar: (text, limit) => slow.similar(text, limit),
        readSoFar,
        subscribe,
        record: workspace.record,
        errors,
        clock,
        startedMs,
      }),
    ),
    mount(
      '/context/for',
      contextForResolver({
        make: async (question) => {
          const { manifest, text } = await contexts.build(question);
          return {
            text,
            changedMs: manifest.changedMs,
            isPassing: (manifest.lack ?? manifest.unread) !== undefined,
          };
        },
        revision,
        subscribe,
        startedMs,
      }),
    ),
    mount(
      '/context/summary',
      contextSummaryResolver({
        docsAt: graph.docsAt,
        make: async (path) => {
          const text = await contexts.summary(path);
          return text === undefined ? undefined : { text, changedMs: graph.builtAtMs() ?? 0 };
        },
        revision,
        subscribe,
        startedMs,
      }),
    ),
  ];
}

function mount(point: string, resolver: Resolver): Mount {
  return { point: parsePath(point), resolver };
}

function rootTree() {
  return { 'AGENTS.md': AGENTS_GUIDE, 'CLAUDE.md': { linkTo: 'AGENTS.md' } };
}

function indexedVersion(store: Store, path: string) {
  const row = store.documents.get(path);
  return row && { indexedAtMs: row.indexedMs, ...versionOf(row.stamp) };
}
