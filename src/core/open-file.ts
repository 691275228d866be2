import type { WritableFile } from './changes.ts';
import type { OpenFile } from './resolver.ts';

/** An open file over bytes in memory. @param version the version of the file that they are, if it has one */
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

/** Whether an open file is open for writing. @throws TypeError for something that is not an object */
export function isWritable(file: OpenFile): file is WritableFile {
  return 'write' in file && 'flush' in file;
}
