/**
 * The index of the last item that begins at a line or above it, or -1: found by halving, since documents have many thousands of both.
 * @param items in order of their lines
 */
export function lastUpTo<Item>(items: readonly Item[], lineOf: (item: Item) => number, line: number): number {
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const item = items[middle];
    if (item !== undefined && lineOf(item) <= line) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
