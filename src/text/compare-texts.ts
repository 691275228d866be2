/** The order of code units, which is the same wherever it is asked for; to sort by. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
