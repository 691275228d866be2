/** Types of values, beside which a name is that of a field, however much it reads as what happened: `state.finished`. */

const TYPE =
  '(?:string|boolean|bool|integer|int|number|float|double|decimal|date(?:[- ]?time)?|timestamp|uuid)(?:\\[\\])?';
const WHOLE = new RegExp(`^${TYPE}(?:\\s*\\([^()]*\\))?$`, 'i');
const BEHIND = new RegExp(`^\\s*(?:\\(\\s*${TYPE}\\s*[),;]|[:—–-]\\s*${TYPE}\\s*(?:[.,;:—–-]|$))`, 'i');

/** `boolean`, `date (ISO 8601)`: a cell that says of which type the values of a row's field are. */
export function isDataType(cell: string): boolean {
  return WHOLE.test(cell.trim());
}

/** ` (boolean)`, `: string, …`, as it stands behind the name of a field. */
export function opensWithDataType(behind: string): boolean {
  return BEHIND.test(behind.slice(0, 60));
}
