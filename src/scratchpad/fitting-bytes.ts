import { systemCodeOf } from '../core/errors.ts';
import { type Extent, extentsOf, seek } from '../system/file-data.ts';

/** The unit in which disks allocate space. */
const BLOCK_BYTES = 4096;

/** How much more space than its bytes a write may take: a block at each end. */
export const EDGE_BYTES: number = 2 * BLOCK_BYTES;

/**
 * How many of `lengthBytes` at `position` can be written without taking more than `freeBytes` of new blocks; the rest would have to wait for space. Blocks that
 * the file already has cost nothing, whether they were written to or not. If the disk does not say which blocks are allocated, it is asked for those that hold
 * data.
 */
export function fittingBytes(
  descriptor: number,
  position: number,
  lengthBytes: number,
  freeBytes: number,
): number {
  const end = position + lengthBytes;
  let at = position - (position % BLOCK_BYTES);
  let leftBytes = freeBytes;
  const parts = extentsOf(descriptor, at, end - at) ?? dataParts(descriptor, at, end);
  for (const part of [...parts, { position: end, sizeBytes: 0 }]) {
    const gapBytes = blocksOf(Math.min(part.position, end) - at);
    if (gapBytes > leftBytes) {
      const roomBytes = leftBytes - (leftBytes % BLOCK_BYTES);
      return Math.max(0, Math.min(lengthBytes, at + roomBytes - position));
    }
    leftBytes -= gapBytes;
    at = Math.max(at, part.position + part.sizeBytes);
  }
  return lengthBytes;
}

function blocksOf(sizeBytes: number): number {
  return Math.max(0, Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES);
}

function dataParts(descriptor: number, position: number, end: number): Extent[] {
  const parts: Extent[] = [];
  for (let at = position; at < end; ) {
    const data = nextData(descriptor, at);
    if (data === undefined || data >= end) break;
    at = seek(descriptor, data, 'hole');
    parts.push({ position: data, sizeBytes: at - data });
  }
  return parts;
}

function nextData(descriptor: number, position: number): number | undefined {
  try {
    return seek(descriptor, position, 'data');
  } catch (error) {
    // There is only a hole up to the end.
    if (systemCodeOf(error) === 'ENXIO') return undefined;
    throw error;
  }
}
