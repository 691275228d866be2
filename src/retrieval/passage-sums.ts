import type { Postings } from '../store/postings.ts';

/** A sum for each passage of a store. Most stay 0. The others are recorded, so that not all passages have to be looked at. */
export class PassageSums {
  readonly #sums: Float32Array;
  /** By passage: the mark with which something was last added. */
  readonly #marks: Uint8Array;
  readonly #touched: Int32Array;
  #touchedCount = 0;

  /** @param size one more than the highest id of a passage */
  constructor(size: number) {
    this.#sums = new Float32Array(size);
    this.#marks = new Uint8Array(size);
    this.#touched = new Int32Array(size);
  }

  clear(): void {
    const { sums, marks, touched } = this.#arrays();
    for (let index = 0; index < this.#touchedCount; index += 1) {
      const id = touched[index] ?? 0;
      sums[id] = 0;
      marks[id] = 0;
    }
    this.#touchedCount = 0;
  }

  /**
   * Adds a value greater than 0 to each of the passages to which nothing was added with this mark yet.
   * @param mark from 1 to 255, and not less than in the previous call
   */
  addOnce(ids: Postings, value: number, mark: number): void {
    const { sums, marks, touched } = this.#arrays();
    let count = this.#touchedCount;
    for (let index = 0; index < ids.length; index += 1) {
      const id = ids[index] ?? 0;
      const last = marks[id];
      if (last === mark) continue;
      if (last === 0) {
        touched[count] = id;
        count += 1;
      }
      marks[id] = mark;
      sums[id] = (sums[id] ?? 0) + value;
    }
    this.#touchedCount = count;
  }

  /** Adds a value to each of the passages, to all of which something was added before. */
  addMore(ids: Postings, value: number): void {
    const { sums } = this.#arrays();
    for (let index = 0; index < ids.length; index += 1) {
      const id = ids[index] ?? 0;
      sums[id] = (sums[id] ?? 0) + value;
    }
  }

  of(id: number): number {
    return this.#sums[id] ?? 0;
  }

  /** The passages with the greatest sums, best first, and at most this many. Of equal ones, that with the lower position comes first. */
  best(limit: number, allowed: Uint8Array | undefined, places: Int32Array): number[] {
    const found = this.#allowedOf(allowed);
    // Sorting them all would take longer than finding them.
    const ids = found.length <= limit ? found : this.#greatest(found, limit);
    return ids.sort((a, b) => this.of(b) - this.of(a) || (places[a] ?? 0) - (places[b] ?? 0)).slice(0, limit);
  }

  #allowedOf(allowed: Uint8Array | undefined): number[] {
    const ids: number[] = [];
    for (let index = 0; index < this.#touchedCount; index += 1) {
      const id = this.#touched[index] ?? 0;
      if (allowed === undefined || allowed[id] === 1) ids.push(id);
    }
    return ids;
  }

  /** At least as many as are wanted. Those that are left out are not better than any of these. */
  #greatest(ids: readonly number[], limit: number): number[] {
    const sums = this.#sums;
    let most = 0;
    for (const id of ids) most = Math.max(most, sums[id] ?? 0);
    const counts = new Uint32Array(STEPS);
    for (const id of ids) {
      const step = stepOf(sums[id] ?? 0, most);
      counts[step] = (counts[step] ?? 0) + 1;
    }
    let lowest = STEPS;
    for (let left = limit; left > 0 && lowest > 0; left -= counts[lowest] ?? 0) lowest -= 1;
    return ids.filter((id) => stepOf(sums[id] ?? 0, most) >= lowest);
  }

  #arrays() {
    return { sums: this.#sums, marks: this.#marks, touched: this.#touched };
  }
}

const STEPS = 1_024;

/** The step of a sum on a scale up to the greatest one. */
function stepOf(sum: number, most: number): number {
  return Math.floor((sum / most) * (STEPS - 1));
}
