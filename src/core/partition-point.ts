/**
 * How many items lie before a point, found by binary search.
 * @param isBefore whether the item at an index does; true for all items up to the point, and for none after it
 */
export function partitionPoint(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
