import type { Passage } from '../store/passages.ts';

/**
 * Makes the passages of an entry in steps: those of a megabyte take from a fifth of a second to two seconds. An entry that changes while it is made is then made at
 * once, or one that always changes would never be finished.
 */
export class PreparedPassages {
  #begun: { readonly place: string; readonly stamp: string; readonly rest: Iterator<Passage> } | undefined;
  #made: Passage[] = [];

  /**
   * @param stamp changes whenever the entry does
   * @param limit how many passages this step may make
   * @param source makes one passage after the other
   * @returns all passages, once all are made, and how many this step has made
   */
  make(
    place: string,
    stamp: string,
    limit: number,
    source: () => Iterator<Passage>,
  ): { readonly all?: readonly Passage[]; readonly count: number } {
    let left = limit;
    if (this.#begun?.place !== place || this.#begun.stamp !== stamp) {
      if (this.#begun?.place === place) left = Number.MAX_SAFE_INTEGER;
      this.#begun = { place, stamp, rest: source() };
      this.#made = [];
    }
    const { rest } = this.#begun;
    for (let count = 0; ; count += 1) {
      const { value, done } = rest.next();
      if (done === true) {
        const all = this.#made;
        this.forget();
        return { all, count };
      }
      this.#made.push(value);
      // The end shows only where one more is asked for.
      if (count >= left) return { count };
    }
  }

  forget(): void {
    this.#begun = undefined;
    this.#made = [];
  }
}
