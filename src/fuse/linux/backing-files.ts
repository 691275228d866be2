import type { NodeInfo, OpenFile } from '../../core/resolver.ts';
import { closeBacking, openBacking } from '../../system/fuse-backing.ts';
import { SECTOR_BYTES } from '../shown-attributes.ts';
import type { Node } from './node-table.ts';

/** A smaller file takes at most one READ, and its pages are kept by the mount. */
const MIN_BYTES = 1 << 20;

/**
 * Large files of a disk that are opened for reading: the kernel reads them itself, without a second copy of each page for the mount. This needs root and Linux
 * 6.9. Everybody who has such a file open must share that way: a thread that opens it for writing meanwhile does so without a cache, and its requests still
 * come here.
 */
export class BackingFiles {
  readonly #device: number;
  #minBytes = Number.POSITIVE_INFINITY;
  /** For each lent file, the function to be called when it no longer is. */
  readonly #lent = new Map<Node, () => void>();

  /** @param device a descriptor of /dev/fuse */
  constructor(device: number) {
    this.#device = device;
  }

  /** To be called if the kernel supports this. */
  turnOn(): void {
    this.#minBytes = MIN_BYTES;
  }

  /**
   * Lets the kernel read a file that nobody has open, if possible. The file must have no holes and get none: a program that maps it could fill them beyond the
   * quota.
   */
  lend(node: Node, file: OpenFile, { sizeBytes, disk }: NodeInfo): void {
    const { descriptor } = file;
    if (descriptor === undefined || node.openings > 0 || sizeBytes < this.#minBytes) return;
    if (disk === undefined || disk.blocks * SECTOR_BYTES < sizeBytes) return;
    const id = openBacking(this.#device, descriptor);
    if (id > 0) {
      node.backing = id;
      this.#lent.set(node, file.keepSolid?.() ?? (() => {}));
    }
    // Without the permission now, there never will be one. The same is true for a disk that is itself stacked on others, whichever of its files is asked for.
    else this.#minBytes = Number.POSITIVE_INFINITY;
  }

  /** To be called after a handle was closed. */
  settle(node: Node): void {
    if (node.backing === undefined || node.openings > 0) return;
    closeBacking(this.#device, node.backing);
    node.backing = undefined;
    this.#lent.get(node)?.();
    this.#lent.delete(node);
  }
}
