import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { DiskEntry } from './disk-entry.ts';

/**
 * With disk-entry.ts, the one place that needs Linux to stay inside a folder. Node has no openat(2), but `/proc/self/fd/N/name` names an
 * entry of the very folder that descriptor N holds, whatever became of its path meanwhile. A walk that opens each folder so,
 * one name at a time and with O_NOFOLLOW, cannot be led elsewhere by a link, even one put there during the walk.
 * A system without /proc needs another way to do the same.
 *
 * /proc/self/fd is closed to a process that changed its user after it started, until it executes a program again.
 */

/** `O_PATH` of Linux's fcntl.h, which `fs.constants` lacks: a handle for the walk, which may not read and needs no right to. */
const O_PATH = 0o10000000;
const ENTRY_FLAGS = O_PATH | constants.O_NOFOLLOW;
const FOLDER_FLAGS = ENTRY_FLAGS | constants.O_DIRECTORY;
/** O_NONBLOCK, so that a FIFO that took a file's place does not wait for a writer. */
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const NEW_FILE_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const CLOSED = -1;

/**
 * A folder of the disk held by a descriptor. Every method fails with the error of the system call, which has a `code`; those that change
 * something are the system call of that name, with its errors.
 */
export class DiskFolder {
  #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** @param path absolute, without links: what `realpath` gave. @throws ENOENT, ENOTDIR where a link took its place */
  static open(path: string): DiskFolder {
    return new DiskFolder(openSync(path, FOLDER_FLAGS));
  }

  /** For a child process that is to have it too. */
  get descriptor(): number {
    return this.#descriptor;
  }

  /** The folder `name` below this one. The caller closes it. @throws ENOENT, EACCES, ENOTDIR for a file and for a link */
  enter(name: string): DiskFolder {
    return new DiskFolder(openSync(this.pathOf(name), FOLDER_FLAGS));
  }

  /** This folder again, with a descriptor of its own. The caller closes it. */
  reopen(): DiskFolder {
    return new DiskFolder(openSync(this.#path, O_PATH | constants.O_DIRECTORY));
  }

  /** What has this name now, whatever it is; none of it is opened yet. The caller closes it. @throws ENOENT, EACCES */
  entryOf(name: string): DiskEntry {
    return new DiskEntry(openSync(this.pathOf(name), ENTRY_FLAGS));
  }

  /** This folder as an entry. The caller closes it. */
  asEntry(): DiskEntry {
    return new DiskEntry(openSync(this.#path, O_PATH));
  }

  status(): BigIntStats {
    return fstatSync(this.#descriptor, { bigint: true });
  }

  /** What `lstat` says of an entry, or undefined where there is none. @throws EACCES */
  statusOf(name: string): BigIntStats | undefined {
    return lstatSync(this.pathOf(name), { bigint: true, throwIfNoEntry: false });
  }

  /** In the disk's order; bytes of a name that are not UTF-8 read as U+FFFD. @throws EACCES */
  entries(): Dirent[] {
    return readdirSync(this.#path, { withFileTypes: true });
  }

  /** The text of a link, as it is on the disk. @throws EINVAL where the entry is no link */
  linkTextOf(name: string): string {
    return readlinkSync(this.pathOf(name));
  }

  /**
   * Opens a file for reading; the caller closes the descriptor and checks with `fstat` what it got.
   * @throws ELOOP for a link, ENXIO for a socket, ENOENT, EACCES
   */
  openFile(name: string): number {
    return openSync(this.pathOf(name), FILE_FLAGS);
  }

  /** Makes a file, open for reading and writing; the caller closes the descriptor. @param flags further ones, of open(2) */
  makeFile(name: string, flags: number, mode: number): number {
    return openSync(this.pathOf(name), NEW_FILE_FLAGS | flags, mode);
  }

  makeFolder(name: string, mode: number): void {
    mkdirSync(this.pathOf(name), { mode });
  }

  makeLink(text: string, name: string): void {
    symlinkSync(text, this.pathOf(name));
  }

  /** A second name, also for a link itself. */
  link(name: string, folder: DiskFolder, newName: string): void {
    linkSync(this.pathOf(name), folder.pathOf(newName));
  }

  rename(name: string, folder: DiskFolder, newName: string): void {
    renameSync(this.pathOf(name), folder.pathOf(newName));
  }

  remove(name: string): void {
    unlinkSync(this.pathOf(name));
  }

  removeFolder(name: string): void {
    rmdirSync(this.pathOf(name));
  }

  /** What the disk has left for this user, of bytes and of files. */
  space(): { readonly freeBytes: number; readonly freeFiles: number } {
    const { bavail, bsize, ffree } = statfsSync(this.#path);
    return { freeBytes: bavail * bsize, freeFiles: ffree };
  }

  /** Where the folder lies now, absolute, as the kernel knows it; as `latin1`, which is exact, each character is a byte. */
  realPath(encoding: 'utf8' | 'latin1' = 'utf8'): string {
    return readlinkSync(this.#path, encoding);
  }

  /** Where an entry can be reached, by this process alone. @throws RangeError where this is no name */
  pathOf(name: string): string {
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
