import { performance } from 'node:perf_hooks';
import { childOf } from '../../core/paths.ts';
import type { DirEntry } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import { FolderListing } from './folder-listing.ts';
import { MAX_GIVEN_BYTES } from './kernel-notices.ts';
import type { Node, NodeTable, Place } from './node-table.ts';
import { Sequence } from './sequence.ts';
import type { Kernel } from './served.ts';

/** Programs that read with several threads read several folders at once. */
const MAX_SEQUENCES = 8;
/**
 * If preparing a file takes longer than this, because the disk is slow or others use this core, the next request would wait for something that nobody may want.
 */
const SLOW_MS = 2;
/** After that, nothing is prepared for this many times as long. So a slow disk is seldom read in vain, and a single pause that others caused is soon over. */
const REST_FACTOR = 20;
const MAX_REST_MS = 1000;
/** A reader that has opened nothing for this long has read what it wanted to. */
const FORGET_AFTER_MS = 2000;

/**
 * Prepares the file that is probably opened next while the reader works on the one before: a program that reads the files of a folder reads them in a known
 * order. If the kernel knows the file, it is given the bytes; otherwise the tree prepares them. As always, an open compares the file with what the tree has
 * then, so nothing is read that is older than its opening.
 */
export class Prefetcher {
  readonly #vfs: Pick<Vfs, 'openAhead'>;
  readonly #nodes: Pick<NodeTable, 'pathOf'>;
  readonly #kernel: Pick<Kernel, 'giveBytes'>;
  readonly #nowMs: () => number;
  /** One sequence for each folder, in the order in which they were begun. A reader that begins anew replaces the sequence of one that is further on. */
  readonly #sequences = new Map<Node, Sequence>();
  #listing: FolderListing | undefined;
  #opened: Place | undefined;
  /** The sequence in which the opened file was the expected next one. */
  #continued: Sequence | undefined;
  #restsUntilMs = 0;
  #forgetting: NodeJS.Timeout | undefined;
  /** Listings and openings since the last check for idleness. */
  #uses = 0;

  constructor(
    vfs: Pick<Vfs, 'openAhead'>,
    nodes: Pick<NodeTable, 'pathOf'>,
    kernel: Pick<Kernel, 'giveBytes'>,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#vfs = vfs;
    this.#nodes = nodes;
    this.#kernel = kernel;
    this.#nowMs = nowMs;
  }

  /** Notes that the kernel gets a listing of names without attributes. @returns a function to be called with the node numbers that the kernel is told */
  listed(folder: Node, entries: readonly DirEntry[]): Pick<FolderListing, 'told'> {
    if (this.#listing?.isOf(folder, entries) !== true) this.#listing = new FolderListing(folder, entries);
    this.#noteUse();
    return this.#listing;
  }

  /** Notes that a file was opened for reading. */
  opened({ place }: Node): void {
    const sequence = place && this.#sequences.get(place.folder);
    this.#opened = place;
    this.#continued = undefined;
    if (place !== undefined && sequence?.takesNext(place.name) === true) this.#continued = sequence;
    this.#noteUse();
  }

  /**
   * To be called while no requests are waiting.
   * @returns whether a file was opened since the last call; otherwise there is nothing to do
   */
  prefetch(): boolean {
    const place = this.#opened;
    if (place === undefined) return false;
    this.#opened = undefined;
    const { folder, name } = place;
    const sequence = this.#continued ?? this.#begun(folder, name);
    if (sequence === undefined) return true;
    const startMs = this.#nowMs();
    if (sequence.next !== undefined && startMs >= this.#restsUntilMs) {
      this.#prepare(folder, sequence.next);
      const endMs = this.#nowMs();
      const tookMs = endMs - startMs;
      if (tookMs > SLOW_MS) this.#restsUntilMs = endMs + Math.min(REST_FACTOR * tookMs, MAX_REST_MS);
    }
    return true;
  }

  /** @returns undefined unless it is the first file of its folder. From another file on, two opens in a row are needed */
  #begun(folder: Node, name: string): Sequence | undefined {
    if (this.#sequences.get(folder)?.skipsTo(name) === true) return undefined;
    const names = this.#namesOf(folder);
    const sequence = names && Sequence.from(folder, names, name);
    if (sequence === undefined) return undefined;
    if (this.#listing?.folder === folder) this.#listing = undefined;
    this.#sequences.delete(folder);
    const [oldest] = this.#sequences.keys();
    if (oldest !== undefined && this.#sequences.size === MAX_SEQUENCES) this.#sequences.delete(oldest);
    this.#sequences.set(folder, sequence);
    return sequence.isFromFirst ? sequence : undefined;
  }

  /** The names in the order in which they are read; undefined if that is not known yet. */
  #namesOf(folder: Node): Iterator<string> | undefined {
    const listing = this.#listing?.folder === folder ? this.#listing : undefined;
    return listing?.isKept === true ? listing.readingOrder() : folder.children?.keys();
  }

  #prepare(folder: Node, name: string): void {
    const node = folder.children?.get(name);
    if (node !== undefined) {
      this.#give(node);
      return;
    }
    const path = this.#nodes.pathOf(folder);
    if (path !== undefined) this.#vfs.openAhead(childOf(path, name))?.close();
  }

  #give(node: Node): void {
    const { version, sizeBytes } = node.info;
    if (version === undefined || node.given === version || node.openings > 0) return;
    const path = sizeBytes > MAX_GIVEN_BYTES ? undefined : this.#nodes.pathOf(node);
    const file = path && this.#vfs.openAhead(path, { version, hasBytes: false });
    if (file === undefined) return;
    try {
      const isSame = file.version === version && file.sizeBytes === sizeBytes;
      if (isSame && this.#kernel.giveBytes(node, sizeBytes, (target) => file.read(target, 0))) {
        node.given = version;
      }
    } finally {
      file.close();
    }
  }

  #noteUse(): void {
    this.#uses += 1;
    this.#forgetting ??= setInterval(() => this.#forgetUnused(), FORGET_AFTER_MS).unref();
  }

  /** Drops everything if nothing was used: names of large folders take megabytes, and nodes that the kernel has given back are to be collected as garbage. */
  #forgetUnused(): void {
    if (this.#uses === 0) {
      this.#sequences.clear();
      this.#listing = undefined;
      this.#opened = undefined;
      this.#continued = undefined;
      clearInterval(this.#forgetting);
      this.#forgetting = undefined;
    }
    this.#uses = 0;
  }
}
