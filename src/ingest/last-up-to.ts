import { partitionPoint } from '../core/partition-point.ts';

/**
 * The index of the last item that begins on a line or above it, or -1. It is a binary search, since documents have many thousands of items and lines.
 * @param items sorted by their lines
 */
export function lastUpTo<Item>(items: readonly Item[], lineOf: (item: Item) => number, line: number): number {
  const begun = partitionPoint(items.length, (index) => {
    const item = items[index];
    return item !== undefined && lineOf(item) <= line;
  });
  return begun - 1;
}
