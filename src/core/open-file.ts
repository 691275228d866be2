import type { OpenFile } from './resolver.ts';

/** An open file over bytes in memory. */
export function fileOfBytes(bytes: Uint8Array): OpenFile {
  return {
    sizeBytes: bytes.byteLength,
    read(target, position) {
      const part = bytes.subarray(position, position + target.byteLength);
      target.set(part);
      return part.byteLength;
    },
    close() {},
  };
}

/** An open file over a text, in UTF-8. */
export function fileOfText(text: string): OpenFile {
  return fileOfBytes(Buffer.from(text));
}
