import { existsSync } from 'node:fs';
import type { Clock } from './core/clock.ts';
import type { ParsedQuery, SearchHit, SearchOptions } from './core/search.ts';
import type { SearchSettings } from './core/search-settings.ts';
import type { VectorSearch } from './core/vector-search.ts';
import { parsePlace, splitKey } from './memory/places.ts';
import { MemorySearchIndex } from './memory/search-index.ts';
import { DocsCorpus } from './retrieval/docs-corpus.ts';
import { type OpenSearch, openSearch, type Switches } from './retrieval/engine.ts';
import { GraphView } from './retrieval/graph-view.ts';
import { MemoryCorpus, type RememberedEntries } from './retrieval/memory-corpus.ts';
import { searchText } from './retrieval/text-search.ts';
import type { DocsFolders } from './source/docs-folders.ts';
import { readDocument } from './source/document-text.ts';
import type { MemoryTables } from './store/memory-tables.ts';
import { openSearchStore, openSearchStoreAnew, type SearchStore } from './store/search-store.ts';
import type { Store } from './store/store.ts';
import { openThesaurus } from './words/thesaurus.ts';

export interface SearchOfProjectOptions {
  readonly searchFile: string;
  readonly memorySearchFile: string;
  readonly memory: MemoryTables;
  readonly clock: Clock;
  readonly index: Store;
  readonly folders: DocsFolders;
  readonly maxBytes: number;
  readonly settings: SearchSettings;
  readonly switches?: Partial<Switches> | undefined;
  /** Undefined where no embeddings are configured. */
  readonly vectors?: VectorSearch | undefined;
}

export interface SearchOfProject {
  readonly engine: OpenSearch;
  dropCache(): void;
  close(): void;
}

/** Search over a project. @throws UserError where its files cannot be opened */
export function searchOfProject(options: SearchOfProjectOptions): SearchOfProject {
  const { searchFile, index, folders, maxBytes, settings, switches = {}, vectors } = options;
  if (!existsSync(searchFile)) openSearchStoreAnew(searchFile).close();
  const store = openSearchStore(searchFile, { readOnly: true });
  const thesaurus = openThesaurus();
  const docs = new DocsCorpus(store, index, {
    stat: (path) => folders.stat(path),
    read: (path) => readDocument(folders, path, maxBytes).text,
  });
  const entries = openSearchStoreAnew(options.memorySearchFile);
  const engine = openSearch({
    corpora: [docs, new MemoryCorpus(entries, rememberedIn(options, entries))],
    graph: new GraphView(index),
    thesaurus,
    settings,
    switches,
    vectors,
    literal: (query, asked) => literalHits(options, query, asked),
  });
  return {
    engine,
    dropCache() {
      store.dropCache();
      entries.dropCache();
    },
    close() {
      thesaurus.close();
      entries.close();
      store.close();
    },
  };
}

function rememberedIn({ memory, clock }: SearchOfProjectOptions, search: SearchStore): RememberedEntries {
  const index = new MemorySearchIndex({ tables: memory, search, clock });
  return {
    catchUp: () => {
      index.catchUp();
    },
    revision: () => String(memory.changes.revision()),
    stateOf: (place) => index.stateOf(place),
    superseded: () => index.superseded(),
    content(place) {
      const parsed = parsePlace(place);
      if (parsed === undefined) return undefined;
      const { folder, name } = splitKey(parsed.key);
      const entry = memory.searchable.at(parsed.type, folder, name);
      return entry && memory.entries.content(entry.id).toString();
    },
  };
}

/** Files that hold the words just as they are written. */
function literalHits(
  { folders, maxBytes }: SearchOfProjectOptions,
  { text }: ParsedQuery,
  { limit, scope = '/' }: SearchOptions,
): SearchHit[] {
  if (!isDocs(scope)) return [];
  return searchText(folders, { text, limit }, maxBytes).map(({ path, line, score, snippet }, index) => ({
    path: `/docs/${path}`,
    line,
    endLine: line,
    kind: 'document',
    title: path,
    headings: [],
    score,
    retrievers: { literal: index + 1 },
    hops: [],
    dateMs: Number(folders.stat(path).modifiedNs / 1_000_000n),
    stale: false,
    snippet,
  }));
}

function isDocs(scope: string): boolean {
  return scope === '/' || scope === '/docs' || scope.startsWith('/docs/');
}
