import { setImmediate as nextTurn } from 'node:timers/promises';

/** After a piece of work of this length, others get their turn. */
const TURN_MS = 4;

/** Divides long work into short pieces, in a thread that others wait for. */
export class Turns {
  readonly #nowMs: () => number;
  #sinceMs: number;

  /** @param nowMs a clock in milliseconds, from any starting point */
  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** To be called often. Lets others work if this work has gone on for long. */
  async pause(): Promise<void> {
    if (this.#nowMs() - this.#sinceMs < TURN_MS) return;
    await nextTurn();
    this.#sinceMs = this.#nowMs();
  }
}

/**
 * Merges lists that are sorted, into one that is.
 * @param isBefore whether the first argument comes before the second
 */
export async function mergedInTurns<T>(
  lists: readonly (readonly T[])[],
  isBefore: (a: T, b: T) => boolean,
  turns: Turns,
): Promise<readonly T[]> {
  let left = lists;
  while (left.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < left.length; index += 2) {
      merged.push(mergedPair(left[index] ?? [], left[index + 1] ?? [], isBefore));
      await turns.pause();
    }
    left = merged;
  }
  return left[0] ?? [];
}

function mergedPair<T>(a: readonly T[], b: readonly T[], isBefore: (a: T, b: T) => boolean): readonly T[] {
  if (b.length === 0) return a;
  const merged: T[] = [];
  let next = 0;
  for (const one of a) {
    for (let other = b[next]; other !== undefined && isBefore(other, one); other = b[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(one);
  }
  for (; next < b.length; next += 1) {
    const other = b[next];
    if (other !== undefined) merged.push(other);
  }
  return merged;
}
