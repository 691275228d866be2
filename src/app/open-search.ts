import type { Clock } from '../core/clock.ts';
import { Listeners } from '../core/listeners.ts';
import { type OpenedParts, openingParts } from '../core/opened-parts.ts';
import type { VectorSearch } from '../core/vector-search.ts';
import { HistorySearchIndex } from '../history/search-index.ts';
import { MemorySearchIndex } from '../memory/search-index.ts';
import { DocsCorpus } from '../retrieval/docs-corpus.ts';
import { type OpenSearch, openSearch, type Switches } from '../retrieval/engine.ts';
import { GraphView } from '../retrieval/graph-view.ts';
import { HistoryCorpus } from '../retrieval/history-corpus.ts';
import type { LiteralSearch } from '../retrieval/literal.ts';
import { MemoryCorpus, type RememberedEntries } from '../retrieval/memory-corpus.ts';
import type { SearchSettings } from '../settings/search.ts';
import type { DocsFolders } from '../source/docs-folders.ts';
import { readText } from '../source/document-text.ts';
import type { HistoryTable } from '../store/history-table.ts';
import type { MemoryTables } from '../store/memory-tables.ts';
import { openSearchReader } from '../store/search-reader.ts';
import { figuresOf, openSearchStoreAnew, rememberedFigures } from '../store/search-store.ts';
import type { Store } from '../store/store.ts';
import { takeStepsWhenIdle } from '../system/idle-steps.ts';
import { withFieldWords } from '../words/field-thesaurus.ts';
import { openThesaurus } from '../words/thesaurus.ts';
import { forgetWords } from '../words/tokens.ts';
import { MemoryFollower, PASSAGES_AT_ONCE } from './memory-follower.ts';

/** If nothing can be stored, changes of memory and history are taken into a copy for as long as search is open. */
const FOLLOWS_ANYWAY = { whereOnlyRead: 'copy' } as const;

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
  /** Used if nothing is found otherwise. */
  readonly literal: LiteralSearch;
  readonly switches?: Partial<Switches> | undefined;
  /** Undefined if no embeddings are configured. */
  readonly vectors?: VectorSearch | undefined;
}

export interface SearchOfProject {
  readonly engine: OpenSearch;
  /** How many sources and passages of docs, graph and memory can be found. */
  figures(): { readonly sources: number; readonly passages: number };
  /** The state of the docs that search knows, as `SearchStore.position`. */
  position(): string | undefined;
  /** Whether memory has changed since it was last taken in. */
  isBehind(): boolean;
  /** Calls a listener, as a search takes in memory, with how many entries are left. @returns ends that */
  onTakenIn(listener: (left: number) => void): () => void;
  /** Takes in changes of memory ahead of searches, in steps with pauses. */
  followSoon(): void;
  /** Prepares search in idle moments of this thread, so that the first questions are as quick as later ones. */
  warmSoon(): void;
  dropCache(): void;
  close(): void;
}

/** Opens search over a project. @throws UserError if its files cannot be opened */
export function searchOfProject(options: SearchOfProjectOptions): SearchOfProject {
  return openingParts((opened) => searchOver(options, opened));
}

function searchOver(options: SearchOfProjectOptions, opened: OpenedParts): SearchOfProject {
  const { searchFile, index, folders, maxBytes, settings, switches = {}, vectors, literal } = options;
  const store = opened.add(openSearchReader(searchFile));
  const thesaurus = opened.add(withFieldWords(openThesaurus()));
  const docs = new DocsCorpus(store, index, {
    stat: (path) => folders.stat(path),
    read: (path) => readText(folders, path, maxBytes),
  });
  const entries = opened.add(openSearchStoreAnew(options.memorySearchFile, FOLLOWS_ANYWAY));
  const remembered = new MemorySearchIndex({ tables: options.memory, search: entries, clock: options.clock });
  const events = opened.add(openSearchStoreAnew(options.historySearchFile, FOLLOWS_ANYWAY));
  const figuresOfDocs = rememberedFigures(store);
  const follower = new MemoryFollower(remembered);
  const takenIn = new Listeners<[left: number]>();
  let endWarming: (() => void) | undefined;
  const corpora = [
    docs,
    new MemoryCorpus(entries, rememberedIn(remembered, takenIn)),
    new HistoryCorpus(events, new HistorySearchIndex(options.history, events)),
  ];
  const engine = openSearch({
    corpora,
    graph: new GraphView(index),
    thesaurus,
    settings,
    switches,
    vectors,
    literal,
  });
  return {
    engine,
    figures() {
      const [ofDocs, ofMemory] = [figuresOfDocs(), figuresOf(entries)];
      return {
        sources: ofDocs.sources + ofMemory.sources,
        passages: ofDocs.passages + ofMemory.passages,
      };
    },
    position: () => store.position(),
    isBehind: () => remembered.isBehind(),
    onTakenIn: (listener) => takenIn.add(listener),
    followSoon: () => follower.followSoon(),
    warmSoon() {
      endWarming?.();
      endWarming = takeStepsWhenIdle(warmUps(follower, engine));
    },
    dropCache() {
      for (const corpus of corpora) corpus.forget();
      store.dropCache();
      entries.dropCache();
      events.dropCache();
      forgetWords();
    },
    close() {
      follower.close();
      endWarming?.();
      thesaurus.close();
      entries.close();
      events.close();
      store.close();
    },
  };
}

/** The first steps take in memory, since the later ones ask about its content. */
function* warmUps(follower: MemoryFollower, engine: OpenSearch): Generator<unknown> {
  while (!follower.takeSome()) yield;
  yield* engine.warmUps();
}

function rememberedIn(index: MemorySearchIndex, takenIn: Listeners<[left: number]>): RememberedEntries {
  return {
    catchUp() {
      const isAll = index.catchUp(PASSAGES_AT_ONCE);
      takenIn.tell(index.left());
      return isAll;
    },
    takenIn: () => index.takenIn(),
    isRemembered: (place) => index.isRemembered(place),
    superseded: () => index.superseded(),
    content: (place) => index.content(place),
  };
}
