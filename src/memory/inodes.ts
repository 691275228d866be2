/** The first inode number of memory; those of disks are below it. */
const FIRST_OF_ENTRIES = 2 ** 48;
/** Leaves more numbers to entries than there are seconds in a million years. */
const FIRST_OF_NEW = 2 ** 49;

/**
 * Inode numbers of files of memory. An entry has the same number in every mount, unless it was made in this process: then it has that of
 * the file as which it began, since a file keeps its number when it is first stored, and when an editor renames it into place.
 */
export class Inodes {
  readonly #given = new Map<number, number>();
  /** The entry that has each of these numbers. */
  readonly #holders = new Map<number, number>();
  #last = FIRST_OF_NEW;

  of(entryId: number): number {
    return this.#given.get(entryId) ?? FIRST_OF_ENTRIES + entryId;
  }

  /** A number that no file has had yet. */
  fresh(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Gives an entry this number. If another entry had it, that one gets a new number: to the kernel, one number means one file. */
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
