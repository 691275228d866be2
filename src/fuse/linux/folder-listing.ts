import type { DirEntry } from '../../core/resolver.ts';
import { inodeOf } from './inode-number.ts';
import type { Node } from './node-table.ts';

/**
 * Of more names than this, GNU's programs (grep, find, du) go by inode numbers, which on disks keeps them from seeking:
 * `_FTS_INODE_SORT_DIR_ENTRIES_THRESHOLD` of gnulib's fts.c.
 */
const MAX_AS_LISTED = 10_000;
/** So many names are put in order at a time. */
const BUCKET_NAMES = 64;

/** What the kernel was listed of a folder, and in which order who reads all its files reads them. */
export class FolderListing {
  readonly folder: Node;
  /** Whoever lists a folder lets go of its entries soon after that, and so does this. */
  readonly #entries: WeakRef<readonly DirEntry[]>;
  readonly #inodes: Float64Array | undefined;
  #openings = 0;

  constructor(folder: Node, entries: readonly DirEntry[]) {
    this.folder = folder;
    this.#entries = new WeakRef(entries);
    this.#inodes = entries.length > MAX_AS_LISTED ? new Float64Array(entries.length) : undefined;
  }

  /** Whether the entries are still there. */
  get isKept(): boolean {
    return this.#entries.deref() !== undefined;
  }

  isOf(folder: Node, entries: readonly DirEntry[]): boolean {
    return this.folder === folder && this.#entries.deref() === entries;
  }

  /** Notes the inode number that the kernel was told of an entry. */
  told(index: number, inode: number): void {
    if (this.#inodes !== undefined) this.#inodes[index] = inode;
  }

  /**
   * To be asked for each file that is opened and belongs to no sequence. To put very many in order takes about a millisecond, so it is not done for
   * one file, and once only.
   * @returns undefined where the entries are gone, and of very many for all files but the second
   */
  readingOrder(): Iterator<string> | undefined {
    const entries = this.#entries.deref();
    if (entries === undefined) return undefined;
    if (this.#inodes === undefined) return filesOf(entries);
    this.#openings += 1;
    return this.#openings === 2 ? byInode(this.folder, entries, this.#inodes) : undefined;
  }
}

function* filesOf(entries: readonly DirEntry[]): Generator<string, void> {
  for (const { name, kind } of entries) if (kind === 'file') yield name;
}

/** @param inodes of entries that the kernel was told of; 0 for others */
function* byInode(folder: Node, entries: readonly DirEntry[], inodes: Float64Array): Generator<string, void> {
  const files: Numbered[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  let highest = 0;
  for (const [index, { name, kind }] of entries.entries()) {
    if (kind !== 'file') continue;
    const inode = inodes[index] || (folder.children?.get(name)?.inode ?? inodeOf(folder.inode, name, {}));
    files.push({ name, inode });
    lowest = Math.min(lowest, inode);
    highest = Math.max(highest, inode);
  }
  const buckets: Numbered[][] = Array.from({ length: Math.ceil(files.length / BUCKET_NAMES) }, () => []);
  const perBucket = (highest - lowest + 1) / buckets.length;
  for (const file of files) buckets[Math.floor((file.inode - lowest) / perBucket)]?.push(file);
  for (const bucket of buckets) {
    for (const { name } of bucket.sort((a, b) => a.inode - b.inode)) yield name;
  }
}

interface Numbered {
  readonly name: string;
  readonly inode: number;
}
