import { existsSync } from 'node:fs';
import { OpenedParts } from '../core/opened-parts.ts';
import { updateIndex } from '../ingest/indexer.ts';
import type { StateFolder } from '../state/state-folder.ts';
import { isOlder } from '../store/database.ts';
import { fileProblems } from '../store/file-check.ts';
import {
  openSearchStore,
  removeSearchStore,
  SEARCH_SCHEMA,
  type SearchStore,
} from '../store/search-store.ts';
import type { SourceRow } from '../store/sources.ts';
import { openStore } from '../store/store.ts';
import type { IndexCheckOptions } from './check-index.ts';
import { type Finding, finding, mended, STOP_AND_REPAIR } from './finding.ts';

/** Finds damaged files of search. All of them can be made again, which happens at the next search. */
export function checkSearchFiles(state: StateFolder, repair: boolean, isInUse: () => boolean): Finding[] {
  const files = [state.searchFile, state.memorySearchFile, state.historySearchFile];
  return files.flatMap((file) => {
    const problems = fileProblems(file, SEARCH_SCHEMA);
    if (problems.length === 0) return [];
    const found = finding('search', 'file-damaged', 'a file of what search knows is damaged', problems);
    if (!repair) return [found];
    if (isInUse()) return [{ ...found, remedy: STOP_AND_REPAIR }];
    removeSearchStore(file);
    return [mended(found)];
  });
}

/**
 * Checks the data of search about the docs against what the docs give when they are read again. A document that has changed since it was read is no damage; it
 * is also read when damage is mended.
 * @param freshFile a search store that was just made from the docs
 */
export async function checkSearch(options: IndexCheckOptions, freshFile: string): Promise<Finding[]> {
  const { state, repair } = options;
  // The file is damaged and could not be replaced.
  if (fileProblems(state.searchFile, SEARCH_SCHEMA).length > 0) return [];
  // The next search would make it, too.
  if (!existsSync(state.searchFile) || isOlder(state.searchFile, SEARCH_SCHEMA)) {
    if (repair) await fill(options);
    return [];
  }
  const differing = differences(state.searchFile, freshFile);
  if (differing.length === 0) return [];
  const message = 'what search knows of documents and nodes is not what they say';
  const found = finding(
    'search',
    'passage-differs',
    message,
    differing.map(({ path }) => path),
  );
  if (!repair) return [found];
  forget(state.searchFile, differing);
  await fill(options);
  return [mended(found)];
}

/** Sources whose version is the same in both, and whose data is not. */
function differences(file: string, freshFile: string): SourceRow[] {
  const opened = new OpenedParts();
  try {
    const store = opened.add(openSearchStore(file, { readOnly: true }));
    const fresh = opened.add(openSearchStore(freshFile, { readOnly: true }));
    const lost = new Set(store.passages.withoutTerms());
    return store.sources.all().filter((row) => {
      const other = row.kind === 'node' ? fresh.sources.node(row.path) : fresh.sources.file(row.path);
      if (other?.sha256 !== row.sha256 || other.version !== row.version) return false;
      return lost.has(row.id) || textOf(store, row) !== textOf(fresh, other);
    });
  } finally {
    opened.close();
  }
}

/** Everything that is kept of a source, without row numbers and times. */
function textOf({ passages }: SearchStore, { id, kind, title, type, tags }: SourceRow): string {
  const kept = passages.ofSource(id).map(({ id, ...passage }) => ({
    ...passage,
    sourceId: 0,
    textHash: passages.hashed(id)?.textHash.toString('hex'),
  }));
  return JSON.stringify([kind, title, type, tags, kept]);
}

function forget(file: string, rows: readonly SourceRow[]): void {
  const store = openSearchStore(file);
  try {
    store.transact(() => {
      for (const { kind, path } of rows) {
        if (kind === 'node') store.sources.removeNode(path);
        else store.sources.removeFile(path);
      }
      // Causes all nodes to be looked at again.
      store.setPosition('{}');
    });
  } finally {
    store.close();
  }
}

async function fill(options: IndexCheckOptions): Promise<void> {
  const { indexFile, searchFile } = options.state;
  const opened = new OpenedParts();
  try {
    const store = opened.add(openStore(indexFile));
    const search = opened.add(openSearchStore(searchFile));
    await updateIndex({ ...options, store, search });
  } finally {
    opened.close();
  }
}
