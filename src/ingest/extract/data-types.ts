/** Types of values. A name beside one is that of a field, even if it reads like an event: `state.finished`. */

const TYPE =
  '(?:string|boolean|bool|integer|int|number|float|double|decimal|date(?:[- ]?time)?|timestamp|uuid)(?:\\[\\])?';
const WHOLE = new RegExp(`^${TYPE}(?:\\s*\\([^()]*\\))?$`, 'i');
const BEHIND = new RegExp(`^\\s*(?:\\(\\s*${TYPE}\\s*[),;]|[:—–-]\\s*${TYPE}\\s*(?:[.,;:—–-]|$))`, 'i');

/** Whether a cell gives the type of a field: `boolean`, `date (ISO 8601)`. */
export function isDataType(cell: string): boolean {
  return WHOLE.test(cell.trim());
}

/** Whether a type stands directly behind the name of a field: ` (boolean)`, `: string, …`. */
export function opensWithDataType(behind: string): boolean {
  return BEHIND.test(behind.slice(0, 60));
}
