import { hash } from 'node:crypto';

/** A part of SHA-1. The probability that any two of a thousand million texts have the same is below one in a thousand million. */
const HASH_BYTES = 12;

/** Identifies the content of a passage: the same bytes for the same content. @param said title, headings and text, with NUL between them */
export function textHashOf(said: string): Uint8Array {
  return hash('sha1', said, 'buffer').subarray(0, HASH_BYTES);
}
