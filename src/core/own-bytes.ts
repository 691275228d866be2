const encoder = new TextEncoder();

/**
 * The UTF-8 of a text that is kept, in memory of its own. `Buffer.from` takes a short one from a slab of 8 KiB, which stays as long as any one
 * of those that were taken from it, most of which are soon forgotten.
 */
export function ownBytes(text: string): Uint8Array {
  return encoder.encode(text);
}
