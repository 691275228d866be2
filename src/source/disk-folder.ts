import { constants, type Dir, type Dirent, opendirSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { access, lstat, opendir, stat } from 'node:fs/promises';
import { systemCodeOf } from '../core/errors.ts';
import { type ContentStatus, contentStatusAt, contentStatusOf, diskOf } from '../system/file-status.ts';
import { closeNow, NO_FOLDER, O_PATH, openAt, openBelowNow } from '../system/files.ts';
import { askAbout, findLater } from '../system/found-place.ts';
import { isEntryName } from './entry-name.ts';

const FOLDER_FLAGS = O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY;
/** O_NONBLOCK is for a FIFO that has taken a file's place: opening it would wait for a writer. */
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const LISTED_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;
/** The permissions that are needed to list a folder and to use its entries. */
export const READABLE = constants.R_OK | constants.X_OK;
const CLOSED = -1;
/** How many entries are read at a time. It takes less than a millisecond. */
const PIECE_ENTRIES = 1024;

/** The entries of a folder, read piece by piece. */
export class EntriesOnDisk {
  readonly #descriptor: number;
  readonly #folder: Dir;

  /** @param descriptor closed by `close` */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    try {
      // Some disks do not tell the kind of an entry. Node then looks at its path, which has to lead to this folder.
      this.#folder = opendirSync(`/proc/self/fd/${descriptor}`, { bufferSize: PIECE_ENTRIES });
    } catch (error) {
      closeNow(descriptor);
      throw error;
    }
  }

  /** The next entries, as in {@link DiskFolder.entries}; empty at the end. */
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
 * A folder of the disk, held by a descriptor, for reading only. A walk that opens each folder from the one before it, name by name and with O_NOFOLLOW, cannot
 * be led elsewhere by a link, even by one that is made during the walk. Every method fails with the error of the system call, which has a `code`, and with a
 * RangeError for a text that cannot be the name of an entry.
 */
export class DiskFolder {
  #descriptor: number;
  /** The path that was opened to get here; folders that were entered keep the path of the first one. */
  readonly #path: string;
  #disk: number | undefined;

  private constructor(descriptor: number, path: string) {
    this.#descriptor = descriptor;
    this.#path = path;
  }

  /** @param path absolute; links in it are followed. @throws ENOENT, ENOTDIR, EACCES */
  static open(path: string): DiskFolder {
    return new DiskFolder(openAt(NO_FOLDER, path, O_PATH | constants.O_DIRECTORY), path);
  }

  /** As {@link open}, for a path that may have come to lead anywhere, see {@link findLater}. @throws ServedHereError and NoAnswerError, too */
  static async openLater(path: string): Promise<DiskFolder> {
    return new DiskFolder(await findLater(path, constants.O_DIRECTORY), path);
  }

  /**
   * Asks for what a walk asks for first, without blocking this thread: another program may serve the folder, and not answer. The folder is also listed, since
   * the kernel may answer the other questions from what it learned a moment ago.
   * @param names names of entries that may exist
   * @throws EACCES if this user may not read the folder, NoAnswerError
   */
  async lookLater(names: readonly string[]): Promise<void> {
    const { handlePath } = this;
    await askAbout(this.#path, async (signal) => {
      await access(handlePath, READABLE);
      // A caller who has given up closes this folder, and by then its descriptor may stand for something else.
      signal.throwIfAborted();
      const folder = await opendir(handlePath, { bufferSize: 1 });
      await folder.read().finally(() => folder.close());
      for (const name of names) {
        signal.throwIfAborted();
        await lstat(`${handlePath}/${name}`).catch(ignoreMissing);
      }
    });
  }

  /** Opens the folder `name` in this one. The caller closes it. @throws ENOENT, EACCES, ENOTDIR for a file and for a link */
  enter(name: string): DiskFolder {
    return new DiskFolder(openAt(this.#descriptor, checked(name), FOLDER_FLAGS), this.#path);
  }

  status(): ContentStatus {
    return contentStatusOf(this.#descriptor);
  }

  /** `st_dev` of the folder. Its server is not asked for it, see {@link diskOf}. */
  disk(): number {
    this.#disk ??= diskOf(this.#descriptor);
    return this.#disk;
  }

  /** What `lstat` says of an entry; undefined if there is none. @throws EACCES */
  statusOf(name: string): ContentStatus | undefined {
    return contentStatusAt(this.#descriptor, checked(name));
  }

  /** All entries in the disk's order. Bytes of a name that are not UTF-8 read as U+FFFD. @throws EACCES */
  entries(): Dirent[] {
    return readdirSync(this.handlePath, { withFileTypes: true });
  }

  /** The same in pieces, which can still be read when this folder is closed. The caller closes them. @throws EACCES */
  readEntries(): EntriesOnDisk {
    return new EntriesOnDisk(openAt(this.#descriptor, '.', LISTED_FLAGS));
  }

  /** The text of a link, as it is on the disk. @throws EINVAL if the entry is no link */
  linkTextOf(name: string): string {
    return readlinkSync(`${this.handlePath}/${checked(name)}`);
  }

  /**
   * Opens a file for reading. The caller closes the descriptor, and checks with `fstat` what was opened.
   * @throws ELOOP for a link, ENXIO for a socket, ENOENT, EACCES
   */
  openFile(name: string): number {
    return openAt(this.#descriptor, checked(name), FILE_FLAGS);
  }

  /** As {@link openFile}, for a path below this folder. None of its names may be a link. @returns undefined if it cannot be opened */
  openFileBelow(path: string): number | undefined {
    return this.#below(path, FILE_FLAGS);
  }

  /** As {@link openFileBelow}, but does not open the file: returns a descriptor of O_PATH, in less time. {@link openFound} opens it. */
  findFileBelow(path: string): number | undefined {
    return this.#below(path, O_PATH | constants.O_NOFOLLOW);
  }

  #below(path: string, flags: number): number | undefined {
    const descriptor = openBelowNow(this.#descriptor, path, flags);
    return descriptor < 0 ? undefined : descriptor;
  }

  /**
   * A text that tells this folder from any other that comes to lie at its path. Inode numbers are reused at once, so the time of birth is part of it. Does not
   * block this thread.
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

  /** May be called twice: the second call does not close another file that has got the same descriptor. */
  close(): void {
    if (this.#descriptor === CLOSED) return;
    closeNow(this.#descriptor);
    this.#descriptor = CLOSED;
  }

  /**
   * A path that leads to this folder, wherever it lies by now, for as long as it is open here. It is for system calls that take no descriptor. A process that
   * has changed its user since it started cannot use it before it executes a program again.
   */
  get handlePath(): string {
    return `/proc/self/fd/${this.#descriptor}`;
  }
}

/** Opens what a descriptor stands for, wherever it lies by now, for reading. The caller closes the result. @throws the disk's own errors */
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
