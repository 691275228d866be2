import { type BigIntStats, readSync } from 'node:fs';
import { systemCodeOf } from '../core/errors.ts';

/** What disks allot at a time, and no less. */
const BLOCK_BYTES = 4096;
const STATUS_BLOCK_BYTES = 512;

/** So much more than the bytes themselves a write may take: a block at each end. */
export const EDGE_BYTES: number = 2 * BLOCK_BYTES;

/**
 * How many of `lengthBytes` at `position` can be written without taking more than `freeBytes` of new blocks; the rest would have to
 * wait for space. Blocks that the file has cost nothing. No one can ask a disk through Node where a file has holes: in one that has
 * some, a block that holds nothing but zeros passes for a hole.
 */
export function fittingBytes(
  descriptor: number,
  status: BigIntStats,
  position: number,
  lengthBytes: number,
  freeBytes: number,
): number {
  const sizeBytes = Number(status.size);
  const allottedBytes = Number(status.blocks) * STATUS_BLOCK_BYTES;
  const hasHoles = allottedBytes < Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES;
  const block = Buffer.alloc(BLOCK_BYTES);
  let neededBytes = 0;
  for (
    let start = position - (position % BLOCK_BYTES);
    start < position + lengthBytes;
    start += BLOCK_BYTES
  ) {
    if (start < sizeBytes && (!hasHoles || holdsBytes(descriptor, block, start))) continue;
    neededBytes += BLOCK_BYTES;
    if (neededBytes > freeBytes) return Math.max(0, start - position);
  }
  return lengthBytes;
}

function holdsBytes(descriptor: number, block: Buffer, start: number): boolean {
  try {
    const count = readSync(descriptor, block, 0, BLOCK_BYTES, start);
    return block.subarray(0, count).some((byte) => byte !== 0);
  } catch (error) {
    // A file that its owner may write and not read.
    if (systemCodeOf(error) === 'EBADF') return false;
    throw error;
  }
}
