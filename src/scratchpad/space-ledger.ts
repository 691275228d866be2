import type { Clock } from '../core/clock.ts';
import type { FileStatus } from '../system/file-status.ts';
import { kindOf } from './disk-status.ts';
import { statusesOf } from './disk-walk.ts';
import type { OpenFolder } from './open-folder.ts';
import { SolidFiles } from './solid-files.ts';

/** `st_blocks` counts these, whatever the disk's own blocks are. */
const STATUS_BLOCK_BYTES = 512;
/** What a new file or folder has to find free. */
const NODE_BYTES = 4096;
/** Empty files take no block, but something of the disk nevertheless. */
const QUOTA_BYTES_OF_A_FILE = 4096;
const MIN_FILES = 1000;
const RECOUNT_AFTER_MS = 10_000;

/**
 * What a tree takes of the disk, and what of its quota is left. Each file, folder and link counts with the blocks it had when its status
 * was last seen, once however many names it has: so holes cost nothing, nothing is counted twice or taken off twice, and a disk that
 * allots its blocks late is believed as soon as it says more. A file without a name counts until its last handle is closed.
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

  /** Counts what is there: a status for each file below `top`. */
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
   * What is free, as far as it matters to one who wants so much. Where it is too little all is counted again, now and then: another process
   * may have removed files, or the disk taken back what it had set aside.
   */
  freeBytesFor(wantedBytes: number): number {
    if (this.freeBytes < wantedBytes) this.#recountNowAndThen();
    return this.freeBytes;
  }

  hasRoomForNode(): boolean {
    if (this.freeFiles === 0) this.#recountNowAndThen();
    return this.freeFiles > 0 && this.freeBytesFor(NODE_BYTES) >= NODE_BYTES;
  }

  /** To be called whenever a status was asked for: it may tell something new. */
  see({ inode, blocks }: FileStatus): void {
    const bytes = blocks * STATUS_BLOCK_BYTES;
    const before = this.#bytesOf.get(inode);
    if (before === bytes) return;
    this.#usedBytes += bytes - (before ?? 0);
    this.#bytesOf.set(inode, bytes);
  }

  /** A name is gone. @param before the status that it had */
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
