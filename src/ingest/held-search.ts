import { UserError } from '../core/errors.ts';
import { isDamage } from '../disk/damage.ts';
import { fileProblems } from '../store/file-check.ts';
import {
  openSearchStoreAnew,
  removeSearchStore,
  SEARCH_SCHEMA,
  type SearchStore,
} from '../store/search-store.ts';

/** The file of the search data, held open to be filled. It is made from the docs, so a damaged one is replaced by a new one. */
export class HeldSearch {
  readonly #file: string;
  #store: SearchStore;

  /** @throws UserError as `openSearchStore` does, except for damage */
  constructor(file: string) {
    this.#file = file;
    this.#store = openSearchStoreAnew(file);
  }

  /** Runs an update of the store. If it meets damage, it is run again on an empty store. */
  async fill<T>(update: (search: SearchStore) => Promise<T>): Promise<T> {
    try {
      return await update(this.#store);
    } catch (error) {
      const cause = error instanceof UserError ? error.cause : error;
      if (!isDamage(cause) || fileProblems(this.#file, SEARCH_SCHEMA).length === 0) throw error;
      this.#store.close();
      removeSearchStore(this.#file);
      this.#store = openSearchStoreAnew(this.#file);
      return await update(this.#store);
    }
  }

  close(): void {
    this.#store.close();
  }
}
