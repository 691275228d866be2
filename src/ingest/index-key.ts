import { existsSync, lstatSync } from 'node:fs';
import { type DocsSelection, placeOnDisk } from '../core/docs-selection.ts';
import { ownMountPoints } from '../source/own-mounts.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { Store } from '../store/store.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import { EXTRACTOR_VERSION } from './extract/version.ts';

/** How docs are read, of which the index follows. */
export interface ReadingOptions {
  readonly docs: DocsSelection;
  readonly excluded: readonly string[];
  readonly maxBytes: number;
  /** Files from which something is taken in besides the docs, where they count. */
  readonly rulesFile?: string | undefined;
  readonly extractionsFile?: string | undefined;
}

type KeyOfIndex = (store: Pick<Store, 'meta' | 'revision'>, search: Pick<SearchStore, 'position'>) => string;

/**
 * Stands for all that index and search follow from besides the docs, as it is now, and for their own state, as it is when the key is asked for: where it is
 * the same as after an update, and so are the docs, another update would change nothing. Whoever updates calls it before: what changes meanwhile may not
 * have been taken in.
 */
export function indexKeyFrom({
  docs,
  excluded,
  maxBytes,
  rulesFile,
  extractionsFile,
}: ReadingOptions): KeyOfIndex {
  // Mounts elsewhere come and go without any meaning for these docs.
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
