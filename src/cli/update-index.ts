import { isDeepStrictEqual } from 'node:util';
import { refuseAway } from '../config/docs-roots.ts';
import { OpenedParts } from '../core/opened-parts.ts';
import { graphQueries } from '../graph/queries.ts';
import { HeldSearch } from '../ingest/held-search.ts';
import { indexKeyFrom } from '../ingest/index-key.ts';
import type { IndexResult } from '../ingest/index-run.ts';
import { type IndexOptions, updateIndex } from '../ingest/indexer.ts';
import { DocsWalk } from '../ingest/seen-docs.ts';
import { noteRoots } from '../state/noted-roots.ts';
import { prepareStateFolder } from '../state/state-folder.ts';
import { openStore, type Store } from '../store/store.ts';
import type { Io } from './io.ts';
import { progressBar } from './progress.ts';
import type { HowToRead, Place } from './project.ts';
import { tellOfProjectAbove } from './project-above.ts';

/** What bringing the index up to date did, and what the index holds now. */
export interface UpdateResult extends IndexResult {
  readonly nodes: number;
  readonly edges: number;
  /** The number of lines of `.kgraphfs/errors.jsonl` about the docs. */
  readonly problems: number;
  /** What is wrong with the patterns of `include`. */
  readonly unusedPatterns: readonly string[];
}

/**
 * Reads what changed in the docs into the index of a project.
 * @throws UserError if docs, state folder or index cannot be used
 */
export async function updateIndexOf(place: Place, how: HowToRead, io: Io): Promise<UpdateResult> {
  const { state } = place;
  const { folders } = place.settings.selection;
  refuseAway(folders, state.path, io.workingFolder());
  tellOfProjectAbove(place, io);
  prepareStateFolder(state);
  const bar = progressBar(io.err, 'indexing');
  const opened = new OpenedParts();
  try {
    const store = opened.add(openStore(state.indexFile));
    const held = opened.add(new HeldSearch(state.searchFile));
    const result = await held.fill((search) =>
      readDocs(how, { store, search, onProgress: bar.update }, state.seenFile),
    );
    noteRoots(state.path, folders);
    return { ...result, ...figuresOf(store) };
  } finally {
    bar.end();
    opened.close();
  }
}

/** Reads the docs. If nothing else can have changed the index meanwhile, notes what was seen, so that the next look can rely on it. */
async function readDocs(
  how: HowToRead,
  { store, search, onProgress }: Required<Pick<IndexOptions, 'store' | 'search' | 'onProgress'>>,
  seenFile: string,
): Promise<IndexResult> {
  const walk = new DocsWalk(how.docs, how.clock);
  const keyOf = indexKeyFrom(how);
  const before = [store.dataVersion(), search.dataVersion()];
  const result = await updateIndex({ ...how, store, search, walk, onProgress });
  const key = keyOf(store, search);
  // What another process wrote meanwhile may be older than this walk of the docs.
  const isAlone = isDeepStrictEqual([store.dataVersion(), search.dataVersion()], before);
  // Documents that somebody holds have to be looked at again.
  if (isAlone && result.held.length === 0) walk.keep(seenFile, key);
  return result;
}

function figuresOf(store: Store): Pick<UpdateResult, 'nodes' | 'edges' | 'problems' | 'unusedPatterns'> {
  const { totalNodes, totalEdges } = graphQueries(store).stats();
  const { problems } = store;
  const unused = problems.ofScan().filter(({ code }) => code === 'include');
  return {
    nodes: totalNodes,
    edges: totalEdges,
    problems: problems.count(),
    unusedPatterns: unused.map(({ message }) => message),
  };
}
