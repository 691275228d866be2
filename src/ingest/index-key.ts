import { existsSync, lstatSync } from 'node:fs';
import { type DocsSelection, placeOnDisk } from '../core/docs-selection.ts';
import { ownMountPoints } from '../source/own-mounts.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { Store } from '../store/store.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import { EXTRACTOR_VERSION } from './extract/version.ts';

/** The options of reading that the index depends on. */
export interface ReadingOptions {
  readonly docs: DocsSelection;
  readonly excluded: readonly string[];
  readonly maxBytes: number;
  /** Files from which something is taken in addition to the docs, if they are used. */
  readonly rulesFile?: string | undefined;
  readonly extractionsFile?: string | undefined;
}

type KeyOfIndex = (store: Pick<Store, 'meta' | 'revision'>, search: Pick<SearchStore, 'position'>) => string;

/**
 * Returns a function that makes a key of everything that index and search depend on besides the docs, as it is now, and of their own state, as it is when the
 * function is called. If the key is the same as after an update, and the docs are the same, another update would change nothing. To be called before an update,
 * since changes during the update may be missing from it.
 */
export function indexKeyFrom({
  docs,
  excluded,
  maxBytes,
  rulesFile,
  extractionsFile,
}: ReadingOptions): KeyOfIndex {
  // Mounts elsewhere come and go, and mean nothing for these docs.
  const hidden = [...excluded, ...ownMountPoints()]
    .filter((folder) => placeOnDisk(docs, folder) !== undefined)
    .sort();
  const others = [rulesFile, extractionsFile].map((file) => [stateOf(file), stateOf(file && `${file}-wal`)]);
  const folders = docs.modules?.map(({ folder }) => existsSync(folder));
  return (store, search) =>
    JSON.stringify([
      [EXTRACTOR_VERSION, PASSAGES_VERSION],
      [docs, folders, hidden, maxBytes],
      others,
      [store.meta('identity'), store.revision(), search.position()],
    ]);
}

function stateOf(file: string | undefined): string {
  const status = file === undefined ? undefined : lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return status === undefined ? '' : `${status.size} ${status.mtimeNs} ${status.ino}`;
}
