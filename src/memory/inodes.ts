/** Numbers of disks are below. */
const FIRST_OF_ENTRIES = 2 ** 48;
/** Leaves more numbers to entries than there are seconds in a million years. */
const FIRST_OF_NEW = 2 ** 49;

/**
 * Inode numbers of files of memory. An entry has the same one in every mount, unless it came to be in this process: then it has the one of
 * the file that it began as, since a file keeps its number when it is first kept, and when an editor renames it into place.
 */
export class Inodes {
  readonly #given = new Map<number, number>();
  /** The entry of each of these numbers. */
  readonly #holders = new Map<number, number>();
  #last = FIRST_OF_NEW;

  of(entryId: number): number {
    return this.#given.get(entryId) ?? FIRST_OF_ENTRIES + entryId;
  }

  /** One that no file had yet. */
  fresh(): number {
    this.#last += 1;
    return this.#last;
  }

  /** From now on the entry has this number, and if another one had it, that one is another file: the kernel takes what has one number for one file. */
  give(entryId: number, inode: number): void {
    if (this.of(entryId) === inode) return;
    const holderId = this.#holderOf(inode);
    if (holderId !== undefined) this.#set(holderId, this.fresh());
    this.#set(entryId, inode);
  }

  #holderOf(inode: number): number | undefined {
    const holderId = this.#holders.get(inode);
    if (holderId !== undefined || inode > FIRST_OF_NEW) return holderId;
    const entryId = inode - FIRST_OF_ENTRIES;
    return this.#given.has(entryId) ? undefined : entryId;
  }

  #set(entryId: number, inode: number): void {
    this.#holders.delete(this.of(entryId));
    this.#given.set(entryId, inode);
    this.#holders.set(inode, entryId);
  }
}
