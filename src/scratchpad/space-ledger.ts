import type { Clock } from '../core/clock.ts';
import type { FileStatus } from '../system/file-status.ts';
import { kindOf } from './disk-status.ts';
import { statusesOf } from './disk-walk.ts';
import type { OpenFolder } from './open-folder.ts';
import { SolidFiles } from './solid-files.ts';

/** The unit of `st_blocks`, whatever the size of the disk's own blocks. */
const STATUS_BLOCK_BYTES = 512;
/** How much space must be free for a new file or folder. */
const NODE_BYTES = 4096;
/** Empty files take no block, but they do take some of the disk, so this bounds their number. */
const QUOTA_BYTES_OF_A_FILE = 4096;
const MIN_FILES = 1000;
const RECOUNT_AFTER_MS = 10_000;

/**
 * The space that a tree takes on the disk, and what is left of its quota. Each file, folder and link counts once, however many names it has, with the blocks it
 * had when its status was last seen. So holes cost nothing, nothing is counted or deducted twice, and a disk that allocates its blocks late is believed as soon
 * as it reports more. A file without a name counts until its last handle is closed.
 */
export class SpaceLedger {
  readonly quotaBytes: number;
  readonly maxFiles: number;
  readonly solid = new SolidFiles();
  readonly #top: OpenFolder;
  readonly #clock: Clock;
  readonly #handles = new Map<number, number>();
  #bytesOf = new Map<number, number>();
  #usedBytes = 0;
  #countedAtMs = 0;

  /** Counts what there is, which takes a status for each file below `top`. */
  constructor(top: OpenFolder, quotaBytes: number, clock: Clock) {
    this.#top = top;
    this.quotaBytes = quotaBytes;
    this.maxFiles = Math.max(MIN_FILES, Math.floor(quotaBytes / QUOTA_BYTES_OF_A_FILE));
    this.#clock = clock;
    this.#recount();
  }

  get freeBytes(): number {
    return Math.max(0, this.quotaBytes - this.#usedBytes);
  }

  get hasOpenFiles(): boolean {
    return this.#handles.size > 0;
  }

  get freeFiles(): number {
    return Math.max(0, this.maxFiles - this.#bytesOf.size);
  }

  /**
   * How much is free, for a caller that wants a certain amount. If it is not enough, everything is counted again now and then: another process may have removed
   * files, or the disk may have taken back space that it had reserved.
   */
  freeBytesFor(wantedBytes: number): number {
    if (this.freeBytes < wantedBytes) this.#recountNowAndThen();
    return this.freeBytes;
  }

  hasRoomForNode(): boolean {
    if (this.freeFiles === 0) this.#recountNowAndThen();
    return this.freeFiles > 0 && this.freeBytesFor(NODE_BYTES) >= NODE_BYTES;
  }

  /** To be called after each look at a status, since it may have changed. */
  see({ inode, blocks }: FileStatus): void {
    const bytes = blocks * STATUS_BLOCK_BYTES;
    const before = this.#bytesOf.get(inode);
    if (before === bytes) return;
    this.#usedBytes += bytes - (before ?? 0);
    this.#bytesOf.set(inode, bytes);
  }

  /** To be called after a name was removed. @param before the status that the file had */
  nameGone(before: FileStatus): void {
    const isLast = kindOf(before) === 'directory' || before.links <= 1;
    if (isLast && !this.#handles.has(before.inode)) this.#forget(before.inode);
  }

  opened({ inode }: FileStatus): void {
    this.#handles.set(inode, (this.#handles.get(inode) ?? 0) + 1);
  }

  /** @param last the status just before the handle is closed */
  closed(last: FileStatus): void {
    const others = (this.#handles.get(last.inode) ?? 1) - 1;
    if (others > 0) this.#handles.set(last.inode, others);
    else this.#handles.delete(last.inode);
    if (last.links > 0 || others > 0) this.see(last);
    else this.#forget(last.inode);
  }

  #forget(inode: number): void {
    this.#usedBytes -= this.#bytesOf.get(inode) ?? 0;
    this.#bytesOf.delete(inode);
  }

  #recountNowAndThen(): void {
    if (Math.abs(this.#clock.nowMs() - this.#countedAtMs) >= RECOUNT_AFTER_MS) this.#recount();
  }

  #recount(): void {
    const before = this.#bytesOf;
    this.#bytesOf = new Map();
    this.#usedBytes = 0;
    for (const status of statusesOf(this.#top)) this.see(status);
    for (const inode of this.#handles.keys()) {
      if (this.#bytesOf.has(inode)) continue;
      this.#bytesOf.set(inode, before.get(inode) ?? 0);
      this.#usedBytes += before.get(inode) ?? 0;
    }
    this.#countedAtMs = this.#clock.nowMs();
  }
}
