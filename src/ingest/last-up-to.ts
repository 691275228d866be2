import { partitionPoint } from '../core/partition-point.ts';

/**
 * The index of the last item that begins at a line or above it, or -1: found by halving, since documents have many thousands of both.
 * @param items in order of their lines
 */
export function lastUpTo<Item>(items: readonly Item[], lineOf: (item: Item) => number, line: number): number {
  const begun = partitionPoint(items.length, (index) => {
    const item = items[index];
    return item !== undefined && lineOf(item) <= line;
  });
  return begun - 1;
}
