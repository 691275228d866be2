/** More ids than any store has. */
const BASE = 2 ** 26;

/** Pairs of key ids, each once, in the order in which they were added. */
export class PairSet {
  /** A pair as one number takes a fraction of the memory of a text. */
  readonly #pairs = new Set<number>();

  add(sourceId: number, targetId: number): void {
    this.#pairs.add(sourceId * BASE + targetId);
  }

  clear(): void {
    this.#pairs.clear();
  }

  *[Symbol.iterator](): Generator<readonly [sourceId: number, targetId: number]> {
    for (const pair of this.#pairs) yield [Math.floor(pair / BASE), pair % BASE];
  }
}
