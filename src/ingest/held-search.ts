import { UserError } from '../core/errors.ts';
import { isDamage } from '../disk/damage.ts';
import { fileProblems } from '../store/file-check.ts';
import {
  openSearchStoreAnew,
  removeSearchStore,
  SEARCH_SCHEMA,
  type SearchStore,
} from '../store/search-store.ts';

/** The file of what search knows, held open to be filled. It is made from the docs, so a damaged one makes room for another. */
export class HeldSearch {
  readonly #file: string;
  #store: SearchStore;

  /** @throws UserError as `openSearchStore` does, but for damage */
  constructor(file: string) {
    this.#file = file;
    this.#store = openSearchStoreAnew(file);
  }

  /** Runs what fills the store, and runs it once more over an empty one where it met damage. */
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
