import { read } from 'node:fs';
import { promisify } from 'node:util';

const readFromDisk = promisify(read);

/** Fills the rest of `target` in another thread. @returns how much of it is filled then */
export async function readLater(
  descriptor: number,
  target: Uint8Array,
  filled: number,
  position: number,
): Promise<number> {
  let end = filled;
  while (end < target.byteLength) {
    const rest = target.byteLength - end;
    const { bytesRead } = await readFromDisk(descriptor, target, end, rest, position + end);
    if (bytesRead === 0) break;
    end += bytesRead;
  }
  return end;
}
