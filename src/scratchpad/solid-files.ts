import { allocate, FALLOCATE } from '../system/file-data.ts';
import { statusOf } from '../system/file-status.ts';
import { EDGE_BYTES, fittingBytes } from './fitting-bytes.ts';
import { noSpaceAt } from './refusals.ts';
import type { SpaceLedger } from './space-ledger.ts';

/** Files that get no holes for as long as somebody writes to them whom nobody counts: filling a hole takes space, writing over bytes does not. */
export class SolidFiles {
  readonly #keepers = new Map<number, number>();

  /** @returns what is to be called, once, when holes matter no longer */
  keep(inode: number): () => void {
    this.#keepers.set(inode, (this.#keepers.get(inode) ?? 0) + 1);
    return () => {
      const others = (this.#keepers.get(inode) ?? 1) - 1;
      if (others > 0) this.#keepers.set(inode, others);
      else this.#keepers.delete(inode);
    };
  }

  /** Whether an open file is one of them. Asks the disk only where there are any. */
  has(descriptor: number): boolean {
    return this.#keepers.size > 0 && this.#keepers.has(statusOf(descriptor).inode);
  }
}

/**
 * To be called before a file ends at a position or is written to from there: one that may have no holes takes the space up to there.
 * @throws FsError ENOSPC past the quota; what fallocate(2) says
 */
export function fillUpTo(descriptor: number, position: number, path: string, ledger: SpaceLedger): void {
  if (!ledger.solid.has(descriptor)) return;
  const { sizeBytes } = statusOf(descriptor);
  const grownBytes = position - sizeBytes;
  if (grownBytes <= 0) return;
  const freeBytes = ledger.freeBytesFor(grownBytes + EDGE_BYTES);
  if (fittingBytes(descriptor, sizeBytes, grownBytes, freeBytes) < grownBytes) throw noSpaceAt(path);
  allocate(descriptor, FALLOCATE.keepSize, sizeBytes, grownBytes);
}
