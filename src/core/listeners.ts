import type { Unsubscribe } from './resolver.ts';

/** Listeners, which are told in the order in which they came. What one of them throws reaches the caller of `tell`, and those after it are not told. */
export class Listeners<Told extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...told: Told) => void>();

  /** Adds a listener; one that is there already is still told only once. @returns a function that removes it */
  add(listener: (...told: Told) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(...told: Told): void {
    for (const listener of this.#listeners) listener(...told);
  }

  /** Removes all listeners. New ones may be added later. */
  clear(): void {
    this.#listeners.clear();
  }
}
