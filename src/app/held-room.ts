import { closeSync } from 'node:fs';
import { systemCodeOf } from '../core/errors.ts';
import { isNoRoom, type NoRoom, type Room } from '../core/room.ts';
import { openUnnamed } from '../disk/unnamed-file.ts';
import { allocate } from '../system/file-data.ts';
import { freeBytesAt } from '../system/free-space.ts';

/** What a commit of some hundred kilobytes takes where a disk copies what it writes, such as btrfs. */
const HELD_BYTES = 1 << 20;

/**
 * Holds some room on a folder's disk, in a file without a name. What a disk has free says nothing of a user's quota (statfs(2)), which is only met
 * when something is stored, when whoever wrote it may have gone on already.
 */
export class HeldRoom implements Room {
  readonly #folder: string;
  /** Of the file that holds the room; undefined while none is held. */
  #descriptor: number | undefined;
  /** The disk has no files without a name, or sets nothing aside. */
  #isUnable = false;
  /** Something was refused to be stored, and there is no sign yet that there is room again. */
  #isShort = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  whyNone(sizeBytes: number): NoRoom | undefined {
    if (freeBytesAt(this.#folder) < sizeBytes) return 'ENOSPC';
    return this.#descriptor === undefined && !this.#isUnable ? this.#hold() : undefined;
  }

  release(): boolean {
    const held = this.#descriptor;
    this.#isShort = true;
    if (held === undefined) return false;
    this.#descriptor = undefined;
    closeSync(held);
    return true;
  }

  #hold(): NoRoom | undefined {
    let descriptor: number | undefined;
    try {
      descriptor = openUnnamed(this.#folder);
      allocate(descriptor, 0, 0, HELD_BYTES);
      this.#descriptor = descriptor;
      this.#isShort = false;
      return undefined;
    } catch (error) {
      const code = systemCodeOf(error);
      if (code === undefined) throw error;
      if (descriptor !== undefined) closeSync(descriptor);
      if (!isNoRoom(code)) this.#isUnable = true;
      // What has no room for one file more may have it for more in those that are there.
      else if (descriptor !== undefined || this.#isShort) return code;
      return undefined;
    }
  }
}
