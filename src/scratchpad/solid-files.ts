import { allocate, FALLOCATE } from '../system/file-data.ts';
import { statusOf } from '../system/file-status.ts';
import { EDGE_BYTES, fittingBytes } from './fitting-bytes.ts';
import { noSpaceAt } from './refusals.ts';
import type { SpaceLedger } from './space-ledger.ts';

/** Files that must get no holes, as long as somebody writes to them in a way that is not counted: filling a hole takes space, overwriting bytes does not. */
export class SolidFiles {
  readonly #keepers = new Map<number, number>();

  /** @returns a function to be called, once, when holes no longer matter */
  keep(inode: number): () => void {
    this.#keepers.set(inode, (this.#keepers.get(inode) ?? 0) + 1);
    return () => {
      const others = (this.#keepers.get(inode) ?? 1) - 1;
      if (others > 0) this.#keepers.set(inode, others);
      else this.#keepers.delete(inode);
    };
  }

  /** Whether an open file is one of them. Asks the disk only if there are any. */
  has(descriptor: number): boolean {
    return this.#keepers.size > 0 && this.#keepers.has(statusOf(descriptor).inode);
  }
}

/**
 * To be called before a file ends at a position or is written to from there. If the file must have no holes, the space up to that position is allocated.
 * @throws FsError ENOSPC past the quota; the errors of fallocate(2)
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
