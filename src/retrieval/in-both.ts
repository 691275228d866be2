/** The numbers that are in both of two ascending lists, in ascending order. Takes about as long as the shorter list is. */
export function inBoth(one: Int32Array, other: Int32Array): number[] {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const found: number[] = [];
  let from = 0;
  for (const wanted of short) {
    from = placeOf(wanted, long, from);
    if (long[from] === wanted) found.push(wanted);
  }
  return found;
}

/** The index of the first number that is not smaller, from an index on: by steps that double, then by binary search in the last one. */
function placeOf(wanted: number, numbers: Int32Array, from: number): number {
  let low = from;
  let high = from;
  for (let step = 1; (numbers[high] ?? wanted) < wanted; step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, numbers.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? wanted) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
