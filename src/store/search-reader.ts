import { existsSync, statSync } from 'node:fs';
import { openSearchStore, openSearchStoreAnew, type SearchStore } from './search-store.ts';

/** One file never has as many data versions. */
const VERSIONS_OF_A_FILE = 2 ** 32;

/**
 * Opens a search store for reading what others write to it. Makes an empty one if there is none. If the file is replaced, the reader goes on with the new file,
 * which it notices when its data version is asked for.
 * @throws UserError as `openSearchStore` does, except for damage
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
  // If no file can be made, there is none to be opened by its name.
  if (!existsSync(file)) return made;
  made.close();
  return openSearchStore(file, { readOnly: true });
}

/** Opens a file if it has its tables, which a file that is just being made lacks. */
function openIfWhole(file: string): SearchStore | undefined {
  try {
    return openSearchStore(file, { readOnly: true });
  } catch {
    // What is wrong with the file besides is told by who opens it next.
    return undefined;
  }
}
