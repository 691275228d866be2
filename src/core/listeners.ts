import type { Unsubscribe } from './resolver.ts';

/** Who is told of something, in the order in which they came. What one of them throws goes to who tells, and those behind it are not told. */
export class Listeners<Told extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...told: Told) => void>();

  /** One that is there already is told once all the same. @returns what ends it */
  add(listener: (...told: Told) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(...told: Told): void {
    for (const listener of this.#listeners) listener(...told);
  }

  /** Nobody is told from now on but who comes later. */
  clear(): void {
    this.#listeners.clear();
  }
}
