import { hash } from 'node:crypto';

/** Of SHA-1. Among a thousand million texts two have the same less than once in a thousand million times. */
const HASH_BYTES = 12;

/** Stands for what a passage says: the same bytes for all that say the same. @param said title, headings and text, with NUL between them */
export function textHashOf(said: string): Uint8Array {
  return hash('sha1', said, 'buffer').subarray(0, HASH_BYTES);
}
