import type { Clock } from './core/clock.ts';
import type { SearchSettings } from './core/search-settings.ts';
import type { VectorSearch } from './core/vector-search.ts';
import { HistorySearchIndex } from './history/search-index.ts';
import { parsePlace, splitKey } from './memory/places.ts';
import { MemorySearchIndex } from './memory/search-index.ts';
import { DocsCorpus } from './retrieval/docs-corpus.ts';
import { type OpenSearch, openSearch, type Switches } from './retrieval/engine.ts';
import { GraphView } from './retrieval/graph-view.ts';
import { HistoryCorpus } from './retrieval/history-corpus.ts';
import type { LiteralSearch } from './retrieval/literal.ts';
import { MemoryCorpus, type RememberedEntries } from './retrieval/memory-corpus.ts';
import type { DocsFolders } from './source/docs-folders.ts';
import { readDocument } from './source/document-text.ts';
import type { HistoryTable } from './store/history-table.ts';
import type { MemoryTables } from './store/memory-tables.ts';
import { openSearchReader } from './store/search-reader.ts';
import { openSearchStoreAnew, type SearchStore } from './store/search-store.ts';
import type { Store } from './store/store.ts';
import { openThesaurus } from './words/thesaurus.ts';

export interface SearchOfProjectOptions {
  readonly searchFile: string;
  readonly memorySearchFile: string;
  readonly memory: MemoryTables;
  readonly historySearchFile: string;
  readonly history: HistoryTable;
  readonly clock: Clock;
  readonly index: Store;
  readonly folders: DocsFolders;
  readonly maxBytes: number;
  readonly settings: SearchSettings;
  /** For where nothing is found otherwise. */
  readonly literal: LiteralSearch;
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
  const { searchFile, index, folders, maxBytes, settings, switches = {}, vectors, literal } = options;
  const store = openSearchReader(searchFile);
  const thesaurus = openThesaurus();
  const docs = new DocsCorpus(store, index, {
    stat: (path) => folders.stat(path),
    read: (path) => readDocument(folders, path, maxBytes).text,
  });
  const entries = openSearchStoreAnew(options.memorySearchFile);
  const events = openSearchStoreAnew(options.historySearchFile);
  const engine = openSearch({
    corpora: [
      docs,
      new MemoryCorpus(entries, rememberedIn(options, entries)),
      new HistoryCorpus(events, new HistorySearchIndex(options.history, events)),
    ],
    graph: new GraphView(index),
    thesaurus,
    settings,
    switches,
    vectors,
    literal,
  });
  return {
    engine,
    dropCache() {
      store.dropCache();
      entries.dropCache();
      events.dropCache();
    },
    close() {
      thesaurus.close();
      entries.close();
      events.close();
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
