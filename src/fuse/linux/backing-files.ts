import type { NodeInfo, OpenFile } from '../../core/resolver.ts';
import { closeBacking, openBacking } from '../../system/fuse-backing.ts';
import { SECTOR_BYTES } from '../shown-attributes.ts';
import type { Node } from './node-table.ts';

/** Smaller files are one READ or none, and their pages are kept by the mount. */
const MIN_BYTES = 1 << 20;

/**
 * Large files of a disk that are opened to be read: the kernel reads them itself, without a copy of each page for the mount. Needs root, and
 * Linux 6.9. All who have such a file open have to share it: who opens it to write meanwhile does so without a cache, and still through here.
 */
export class BackingFiles {
  readonly #device: number;
  #minBytes = Number.POSITIVE_INFINITY;
  /** Of lent files: what is to be called when they are no longer. */
  readonly #lent = new Map<Node, () => void>();

  /** @param device a descriptor of /dev/fuse */
  constructor(device: number) {
    this.#device = device;
  }

  /** The kernel has agreed to it. */
  turnOn(): void {
    this.#minBytes = MIN_BYTES;
  }

  /** Has the kernel read a file that nobody has open, where it can. Not one with holes, nor may it get any: who maps it would fill them past the quota. */
  lend(node: Node, file: OpenFile, { sizeBytes, disk }: NodeInfo): void {
    const { descriptor } = file;
    if (descriptor === undefined || node.openings > 0 || sizeBytes < this.#minBytes) return;
    if (disk === undefined || disk.blocks * SECTOR_BYTES < sizeBytes) return;
    const id = openBacking(this.#device, descriptor);
    if (id > 0) {
      node.backing = id;
      this.#lent.set(node, file.keepSolid?.() ?? (() => {}));
    }
    // Who may not now may never; nor can a disk that is itself made of others, whatever file of it is asked for.
    else this.#minBytes = Number.POSITIVE_INFINITY;
  }

  /** To be called when a handle was closed. */
  settle(node: Node): void {
    if (node.backing === undefined || node.openings > 0) return;
    closeBacking(this.#device, node.backing);
    node.backing = undefined;
    this.#lent.get(node)?.();
    this.#lent.delete(node);
  }
}
