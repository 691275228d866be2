/**
 * How many items from the first on are before a point, found by halving.
 * @param isBefore of an index; true for all up to the point, and for none behind it
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
