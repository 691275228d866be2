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
/** Where it takes so long, since the disk is slow or others use this core, whoever asks next would wait for what nobody may want. */
const SLOW_MS = 2;
/** So many times as long nothing is made ready after it: a slow disk is seldom read for nobody, and one pause that others made is soon over. */
const REST_FACTOR = 20;
const MAX_REST_MS = 1000;
/** Who opens nothing for so long has read what there was to be read. */
const FORGET_AFTER_MS = 2000;

/**
 * Has the file ready that is probably opened next, while who opened the one before reads it: who reads a folder's files reads them in a known
 * order. Where the kernel knows the file it is given the bytes; else the tree makes them. What is opened is compared with what
 * the tree has then, as ever, so nothing is read that is older than its opening.
 */
export class Prefetcher {
  readonly #vfs: Pick<Vfs, 'openAhead'>;
  readonly #nodes: Pick<NodeTable, 'pathOf'>;
  readonly #kernel: Pick<Kernel, 'giveBytes'>;
  readonly #nowMs: () => number;
  /** One for each folder, the one that was begun last behind the others. Who begins anew takes it from who is further on. */
  readonly #sequences = new Map<Node, Sequence>();
  #listing: FolderListing | undefined;
  #opened: Place | undefined;
  /** The sequence in which it was the one that had to come. */
  #continued: Sequence | undefined;
  #restsUntilMs = 0;
  #forgetting: NodeJS.Timeout | undefined;
  /** Listings and openings since it was last asked whether there are any. */
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

  /** Notes that the kernel is listed names without being told what they are. @returns what is to be told the numbers that it is told */
  listed(folder: Node, entries: readonly DirEntry[]): Pick<FolderListing, 'told'> {
    if (this.#listing?.isOf(folder, entries) !== true) this.#listing = new FolderListing(folder, entries);
    this.#noteUse();
    return this.#listing;
  }

  /** Notes that a file was opened to be read. */
  opened({ place }: Node): void {
    const sequence = place && this.#sequences.get(place.folder);
    this.#opened = place;
    this.#continued = undefined;
    if (place !== undefined && sequence?.takesNext(place.name) === true) this.#continued = sequence;
    this.#noteUse();
  }

  /**
   * To be called while nobody asks for anything.
   * @returns whether a file was opened since the last time, which alone gives it something to do
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

  /** @returns undefined unless it is the first file of its folder: from another one on there have to be two */
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

  /** In the order in which they are read; undefined where that is not known yet. */
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

  /** Names of large folders are megabytes, and nodes that the kernel has given back are to be collected. */
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
