import type { WritableFile } from './changes.ts';
import type { OpenFile } from './resolver.ts';

/** An open file over bytes in memory. @param version which version of a file they are, if any */
export function fileOfBytes(bytes: Uint8Array, version?: string): OpenFile {
  return {
    sizeBytes: bytes.byteLength,
    ...(version === undefined ? {} : { version }),
    read(target, position) {
      const part = bytes.subarray(position, position + target.byteLength);
      target.set(part);
      return part.byteLength;
    },
    close() {},
  };
}

/** @throws TypeError for what is no file */
export function isWritable(file: OpenFile): file is WritableFile {
  return 'write' in file && 'flush' in file;
}
