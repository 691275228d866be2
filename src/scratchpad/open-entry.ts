import { chmodSync, constants } from 'node:fs';
import type { TimeNs } from '../core/changes.ts';
import {
  attributeNames,
  attributeOf,
  removeAttributeOf,
  setAttributeOf,
} from '../system/extended-attributes.ts';
import { type FileStatus, statusOf } from '../system/file-status.ts';
import { changeOwnerOf, closeNow, NO_FOLDER, openAt, setTimes } from '../system/files.ts';

const CLOSED = -1;

/**
 * A file, folder, link or anything else on the disk, held by an O_PATH descriptor: every operation is on that very entry, whatever has its name by now.
 * `/proc/self/fd/N` leads to it and no further, so a link is not followed. Errors are those of the system call.
 */
export class OpenEntry {
  #descriptor: number;

  /** @param descriptor closed by `close`, if that is called. One that can read or write does as well */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  status(): FileStatus {
    return statusOf(this.#descriptor);
  }

  /**
   * Opens the file. The caller closes the descriptor, and has made sure that this is a file: opening a device has effects, and opening a FIFO waits.
   * @param flags flags of open(2). @throws EACCES, ELOOP for a link
   */
  openFile(flags: number): number {
    return openAt(NO_FOLDER, this.#path, flags | constants.O_NONBLOCK | constants.O_NOCTTY);
  }

  /** @throws EPERM, ENOTSUP for a link */
  changeMode(mode: number): void {
    chmodSync(this.#path, mode);
  }

  /** A user or group that is undefined stays. @throws EPERM */
  changeOwner(user: number | undefined, group: number | undefined): void {
    changeOwnerOf(this.#descriptor, user, group);
  }

  /** A time that is undefined stays as it is. @throws EPERM */
  changeTimes(accessedNs: TimeNs | undefined, modifiedNs: TimeNs | undefined): void {
    setTimes(this.#path, accessedNs, modifiedNs);
  }

  /** The full names of its extended attributes. @throws EACCES */
  attributeNames(): string[] {
    return attributeNames(this.#path);
  }

  /** @returns undefined if there is no attribute with this name. @throws EACCES if it may not be read */
  attribute(name: string): Buffer | undefined {
    return attributeOf(this.#path, name);
  }

  /** @param flags flags of setxattr(2). @throws EACCES, EEXIST, ENODATA, ENOSPC, ENOTSUP, EPERM for a link */
  setAttribute(name: string, value: Uint8Array, flags: number): void {
    setAttributeOf(this.#path, name, value, flags);
  }

  /** @throws EACCES, ENODATA, EPERM for a link */
  removeAttribute(name: string): void {
    removeAttributeOf(this.#path, name);
  }

  /** May be called twice: the second call does not close another file that has got the same descriptor. */
  close(): void {
    if (this.#descriptor === CLOSED) return;
    closeNow(this.#descriptor);
    this.#descriptor = CLOSED;
  }

  get #path(): string {
    return `/proc/self/fd/${this.#descriptor}`;
  }
}
