import { join } from 'node:path';
import { openSearchStore } from '../../src/store/search-store.ts';
import { openStore } from '../../src/store/store.ts';
import type { Teardown } from './temporary.ts';

/** The index in a state folder and what is searched, as one process has them open. */
export function openStores(t: Teardown, state: string) {
  const store = openStore(join(state, 'index.sqlite'));
  const search = openSearchStore(join(state, 'search.sqlite'));
  t.teardown(() => {
    store.close();
    search.close();
  });
  return { store, search };
}
