/**
 * A whole number as it is written in a sentence, such as `1,000,000`. What `toLocaleString` loads takes a tenth of the time of a short command,
 * and texts that every command loads have such numbers in them.
 */
export function withCommas(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
