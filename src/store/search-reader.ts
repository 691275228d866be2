import { existsSync, statSync } from 'node:fs';
import { openSearchStore, openSearchStoreAnew, type SearchStore } from './search-store.ts';

/** Data versions of one file are fewer. */
const VERSIONS_OF_A_FILE = 2 ** 32;

/**
 * Reads what others write to a search store, makes an empty one where there is none, and goes on with another file where the one that it reads was
 * replaced, which it notices when it is asked for the data version.
 * @throws UserError as `openSearchStore` does, but for damage
 */
export function openSearchReader(file: string): SearchStore {
  let store = openIfWhole(file) ?? openMade(file);
  let inode = inodeOf(file);
  let generation = 0;

  function follow(): void {
    const now = inodeOf(file);
    if (now === undefined || now === inode) return;
    const next = openIfWhole(file);
    if (next === undefined) return;
    store.close();
    store = next;
    inode = now;
    generation += 1;
  }

  return {
    get sources() {
      return store.sources;
    },
    get passages() {
      return store.passages;
    },
    get postings() {
      return store.postings;
    },
    position: () => store.position(),
    setPosition: (position) => store.setPosition(position),
    dataVersion() {
      follow();
      return generation * VERSIONS_OF_A_FILE + store.dataVersion();
    },
    transact: (body) => store.transact(body),
    snapshot: (body) => store.snapshot(body),
    dropCache: () => store.dropCache(),
    close: () => store.close(),
  };
}

function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

function openMade(file: string): SearchStore {
  const made = openSearchStoreAnew(file, { whereOnlyRead: 'copy' });
  // Where none can be made, there is none to be read by its name.
  if (!existsSync(file)) return made;
  made.close();
  return openSearchStore(file, { readOnly: true });
}

/** One that is being made has no tables yet. */
function openIfWhole(file: string): SearchStore | undefined {
  try {
    return openSearchStore(file, { readOnly: true });
  } catch {
    return undefined;
  }
}
