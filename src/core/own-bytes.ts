const encoder = new TextEncoder();

/**
 * The UTF-8 of a text, in memory of its own, for bytes that are kept. `Buffer.from` puts short texts into a shared slab of 8 KiB, which stays in memory
 * for as long as any of them does, though most are soon forgotten.
 */
export function ownBytes(text: string): Uint8Array {
  return encoder.encode(text);
}
