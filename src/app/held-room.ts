import { closeSync } from 'node:fs';
import { systemCodeOf } from '../core/errors.ts';
import { isNoRoom, type NoRoom, type Room } from '../core/room.ts';
import { openUnnamed } from '../disk/unnamed-file.ts';
import { allocate } from '../system/file-data.ts';
import { freeBytesAt } from '../system/free-space.ts';

/** What a commit of some hundred kilobytes needs on a disk that copies what it writes, such as btrfs. */
const HELD_BYTES = 1 << 20;

/**
 * Reserves some room on a folder's disk, in a file without a name. The free space of a disk says nothing about a user's quota (statfs(2)), which only
 * shows when something is stored, and then the writer may be gone already.
 */
export class HeldRoom implements Room {
  readonly #folder: string;
  /** The descriptor of the file that reserves the room; undefined if there is none. */
  #descriptor: number | undefined;
  /** Whether the disk has no files without a name, or cannot reserve room. */
  #isUnable = false;
  /** Whether something could not be stored, and there is no sign yet that there is room again. */
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
      // A disk without room for another file may still have room in existing ones.
      else if (descriptor !== undefined || this.#isShort) return code;
      return undefined;
    }
  }
}
