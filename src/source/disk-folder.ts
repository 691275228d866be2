import { constants, type Dir, type Dirent, opendirSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { access, lstat, opendir, stat } from 'node:fs/promises';
import { systemCodeOf } from '../core/errors.ts';
import { type ContentStatus, contentStatusAt, contentStatusOf, diskOf } from '../system/file-status.ts';
import { closeNow, NO_FOLDER, O_PATH, openAt, openBelowNow } from '../system/files.ts';
import { askAbout, findLater } from '../system/found-place.ts';
import { isEntryName } from './entry-name.ts';

const FOLDER_FLAGS = O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY;
/** O_NONBLOCK, so that a FIFO that took a file's place does not wait for a writer. */
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const LISTED_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;
/** What it takes to list a folder and to use what is in it. */
export const READABLE = constants.R_OK | constants.X_OK;
const CLOSED = -1;
/** Entries that are read at once, in less than a millisecond. */
const PIECE_ENTRIES = 1024;

/** The entries of a folder that are still to be read. */
export class EntriesOnDisk {
  readonly #descriptor: number;
  readonly #folder: Dir;

  /** @param descriptor which `close` closes */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    try {
      // What kind an entry is may have to be asked by the path.
      this.#folder = opendirSync(`/proc/self/fd/${descriptor}`, { bufferSize: PIECE_ENTRIES });
    } catch (error) {
      closeNow(descriptor);
      throw error;
    }
  }

  /** Some more, as {@link DiskFolder.entries}; none at the end. */
  next(): Dirent[] {
    const entries: Dirent[] = [];
    while (entries.length < PIECE_ENTRIES) {
      const entry = this.#folder.readSync();
      if (entry === null) break;
      entries.push(entry);
    }
    return entries;
  }

  close(): void {
    this.#folder.closeSync();
    closeNow(this.#descriptor);
  }
}

/**
 * A folder of the disk held by a descriptor, to be read only. A walk that opens each folder from the one before it, one name at a time and with
 * O_NOFOLLOW, cannot be led elsewhere by a link, even one put there during the walk. Every method fails with the error of the system call,
 * which has a `code`, and with a RangeError for what is no name of an entry.
 */
export class DiskFolder {
  #descriptor: number;
  /** The path that led here, or to the folder from which this one was entered. */
  readonly #path: string;
  #disk: number | undefined;

  private constructor(descriptor: number, path: string) {
    this.#descriptor = descriptor;
    this.#path = path;
  }

  /** @param path absolute; its links are followed. @throws ENOENT, ENOTDIR, EACCES */
  static open(path: string): DiskFolder {
    return new DiskFolder(openAt(NO_FOLDER, path, O_PATH | constants.O_DIRECTORY), path);
  }

  /** The same for a path that may have come to lead anywhere, see {@link findLater}. @throws ServedHereError and NoAnswerError, too */
  static async openLater(path: string): Promise<DiskFolder> {
    return new DiskFolder(await findLater(path, constants.O_DIRECTORY), path);
  }

  /**
   * Asks for what whoever walks here asks for first, without waiting for it here: another program may serve the folder, and not answer. What was asked for
   * a moment ago the kernel may know without it, so it is listed, too.
   * @param names of entries that may be there
   * @throws EACCES where this user may not read it, NoAnswerError
   */
  async lookLater(names: readonly string[]): Promise<void> {
    const { handlePath } = this;
    await askAbout(this.#path, async (signal) => {
      await access(handlePath, READABLE);
      // Who has given up closes this folder, and its descriptor may be another's by then.
      signal.throwIfAborted();
      const folder = await opendir(handlePath, { bufferSize: 1 });
      await folder.read().finally(() => folder.close());
      for (const name of names) {
        signal.throwIfAborted();
        await lstat(`${handlePath}/${name}`).catch(ignoreMissing);
      }
    });
  }

  /** The folder `name` below this one. The caller closes it. @throws ENOENT, EACCES, ENOTDIR for a file and for a link */
  enter(name: string): DiskFolder {
    return new DiskFolder(openAt(this.#descriptor, checked(name), FOLDER_FLAGS), this.#path);
  }

  status(): ContentStatus {
    return contentStatusOf(this.#descriptor);
  }

  /** `st_dev` of the folder. Nobody is asked for it, as {@link diskOf}. */
  disk(): number {
    this.#disk ??= diskOf(this.#descriptor);
    return this.#disk;
  }

  /** What `lstat` says of an entry, or undefined where there is none. @throws EACCES */
  statusOf(name: string): ContentStatus | undefined {
    return contentStatusAt(this.#descriptor, checked(name));
  }

  /** In the disk's order; bytes of a name that are not UTF-8 read as U+FFFD. @throws EACCES */
  entries(): Dirent[] {
    return readdirSync(this.handlePath, { withFileTypes: true });
  }

  /** The same in pieces; they stay readable when this is closed. The caller closes them. @throws EACCES */
  readEntries(): EntriesOnDisk {
    return new EntriesOnDisk(openAt(this.#descriptor, '.', LISTED_FLAGS));
  }

  /** The text of a link, as it is on the disk. @throws EINVAL where the entry is no link */
  linkTextOf(name: string): string {
    return readlinkSync(`${this.handlePath}/${checked(name)}`);
  }

  /**
   * Opens a file for reading; the caller closes the descriptor and checks with `fstat` what it got.
   * @throws ELOOP for a link, ENXIO for a socket, ENOENT, EACCES
   */
  openFile(name: string): number {
    return openAt(this.#descriptor, checked(name), FILE_FLAGS);
  }

  /** As {@link openFile}, of a path below this folder, none of whose names may be a link. @returns undefined where it cannot be had */
  openFileBelow(path: string): number | undefined {
    return this.#below(path, FILE_FLAGS);
  }

  /** The same without opening it: a descriptor that stands for the file, in less time. {@link openFound} opens it. */
  findFileBelow(path: string): number | undefined {
    return this.#below(path, O_PATH | constants.O_NOFOLLOW);
  }

  #below(path: string, flags: number): number | undefined {
    const descriptor = openBelowNow(this.#descriptor, path, flags);
    return descriptor < 0 ? undefined : descriptor;
  }

  /**
   * Tells the folder from any other that comes to lie at its path. Numbers are used again at once, so its birth tells, too. It is not waited for here.
   * @throws NoAnswerError
   */
  async identity(): Promise<string> {
    const { handlePath } = this;
    const { dev, ino, birthtimeNs } = await askAbout(this.#path, () => stat(handlePath, { bigint: true }));
    return `${dev}:${ino}:${birthtimeNs}`;
  }

  /** Where the folder lies now, absolute, as the kernel knows it. */
  realPath(): string {
    return readlinkSync(this.handlePath);
  }

  /** Safe to call twice: another file may have got the descriptor's number by then. */
  close(): void {
    if (this.#descriptor === CLOSED) return;
    closeNow(this.#descriptor);
    this.#descriptor = CLOSED;
  }

  /**
   * Leads to the folder itself, wherever it lies by now, as long as it is open here: for system calls that take no descriptor. Closed to a process that
   * changed its user after it started, until it executes a program again.
   */
  get handlePath(): string {
    return `/proc/self/fd/${this.#descriptor}`;
  }
}

/** Opens for reading what a descriptor stands for, wherever it lies by now. The caller closes it. @throws the disk's own errors */
export function openFound(descriptor: number): number {
  return openSync(`/proc/self/fd/${descriptor}`, FILE_FLAGS & ~constants.O_NOFOLLOW);
}

function ignoreMissing(error: unknown): void {
  if (systemCodeOf(error) !== 'ENOENT') throw error;
}

function checked(name: string): string {
  if (!isEntryName(name)) throw new RangeError(`${JSON.stringify(name)} is no name of an entry`);
  return name;
}
