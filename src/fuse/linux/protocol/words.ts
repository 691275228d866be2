/**
 * Numbers in messages, least byte first: reading and writing them takes a fifth of what the methods of Buffer take, which are JavaScript that V8 has to
 * compile first. What lies beyond the bytes throws a RangeError.
 */

const TWO_TO_32 = 0x1_0000_0000;

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function u32(words: DataView, at: number): number {
  return words.getUint32(at, true);
}

/** Exact up to 2^53: beyond it are no node, handle or request of ours, and no position in a file that a disk would take. */
export function u64(words: DataView, at: number): number {
  return words.getUint32(at, true) + words.getUint32(at + 4, true) * TWO_TO_32;
}

/** @param value a whole number; of a larger one the lower bits, of a negative one two's complement */
export function setU32(words: DataView, at: number, value: number): void {
  words.setUint32(at, value, true);
}

/** @param value a whole number between -2^53 and 2^53 */
export function set64(words: DataView, at: number, value: number): void {
  words.setUint32(at, value, true);
  words.setUint32(at + 4, Math.floor(value / TWO_TO_32), true);
}
