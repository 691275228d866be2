import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';

/**
 * What needs Linux to stay inside a folder that is only read. Node has no openat(2), but `/proc/self/fd/N/name` names an
 * entry of the very folder that descriptor N holds, whatever became of its path meanwhile. A walk that opens each folder so,
 * one name at a time and with O_NOFOLLOW, cannot be led elsewhere by a link, even one put there during the walk.
 * A system without /proc needs another way to do the same.
 *
 * /proc/self/fd is closed to a process that changed its user after it started, until it executes a program again.
 */

/** `O_PATH` of Linux's fcntl.h, which `fs.constants` lacks: a handle for the walk, which may not read and needs no right to. */
const O_PATH = 0o10000000;
const FOLDER_FLAGS = O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY;
/** O_NONBLOCK, so that a FIFO that took a file's place does not wait for a writer. */
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const CLOSED = -1;

/** A folder of the disk held by a descriptor. Every method fails with the error of the system call, which has a `code`. */
export class DiskFolder {
  #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** @param path absolute, without links: what `realpath` gave. @throws ENOENT, ENOTDIR where a link took its place */
  static open(path: string): DiskFolder {
    return new DiskFolder(openSync(path, FOLDER_FLAGS));
  }

  /** The folder `name` below this one. The caller closes it. @throws ENOENT, EACCES, ENOTDIR for a file and for a link */
  enter(name: string): DiskFolder {
    return new DiskFolder(openSync(this.#pathOf(name), FOLDER_FLAGS));
  }

  status(): BigIntStats {
    return fstatSync(this.#descriptor, { bigint: true });
  }

  /** What `lstat` says of an entry, or undefined where there is none. @throws EACCES */
  statusOf(name: string): BigIntStats | undefined {
    return lstatSync(this.#pathOf(name), { bigint: true, throwIfNoEntry: false });
  }

  /** In the disk's order; bytes of a name that are not UTF-8 read as U+FFFD. @throws EACCES */
  entries(): Dirent[] {
    return readdirSync(this.#path, { withFileTypes: true });
  }

  /** The text of a link, as it is on the disk. @throws EINVAL where the entry is no link */
  linkTextOf(name: string): string {
    return readlinkSync(this.#pathOf(name));
  }

  /**
   * Opens a file for reading; the caller closes the descriptor and checks with `fstat` what it got.
   * @throws ELOOP for a link, ENXIO for a socket, ENOENT, EACCES
   */
  openFile(name: string): number {
    return openSync(this.#pathOf(name), FILE_FLAGS);
  }

  /** Where the folder lies now, absolute, as the kernel knows it. */
  realPath(): string {
    return readlinkSync(this.#path);
  }

  /** Where an entry can be reached, by this process alone. @throws RangeError where this is no name */
  #pathOf(name: string): string {
    if (name === '' || name === '.' || name === '..' || name.includes('/')) {
      throw new RangeError(`${JSON.stringify(name)} is no name of an entry`);
    }
    return `${this.#path}/${name}`;
  }

  /** Safe to call twice: another file may have got the descriptor's number by then. */
  close(): void {
    if (this.#descriptor === CLOSED) return;
    closeSync(this.#descriptor);
    this.#descriptor = CLOSED;
  }

  get #path(): string {
    return `/proc/self/fd/${this.#descriptor}`;
  }
}
