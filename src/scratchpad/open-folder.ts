import { constants, type Dirent, readdirSync, readlinkSync, statfsSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { type FileStatus, statusAt, statusOf } from '../system/file-status.ts';
import {
  changeOwnerAt,
  closeNow,
  linkAt,
  makeFolderAt,
  makeLinkAt,
  makeNodeAt,
  NO_FOLDER,
  O_PATH,
  openAt,
  openBelow,
  openBelowNow,
  removeAt,
  removeFolderAt,
  renameAt,
} from '../system/files.ts';
import { systemError } from '../system/libc.ts';
import { OpenEntry } from './open-entry.ts';

const ENTRY_FLAGS = O_PATH | constants.O_NOFOLLOW;
const FOLDER_FLAGS = ENTRY_FLAGS | constants.O_DIRECTORY;
const NEW_FILE_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const { ENOENT } = osConstants.errno;
const CLOSED = -1;

/**
 * A folder of the disk, held by a descriptor. Names stand for its entries, and paths for what lies below it; no link is followed in either. Every method fails
 * with the error of the system call, which has a `code`. A method that changes something is the system call of the same name.
 */
export class OpenFolder {
  #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** @param path absolute and without links, as `realpath` returns it. @throws ENOENT, ENOTDIR if a link has taken its place */
  static open(path: string): OpenFolder {
    return new OpenFolder(openAt(NO_FOLDER, path, FOLDER_FLAGS));
  }

  /** Opens the folder at a path. The caller closes it. @throws ENOENT, EACCES, ENOTDIR for a file and for a link */
  folderAt(path: string): OpenFolder {
    return new OpenFolder(openBelow(this.#descriptor, path, FOLDER_FLAGS));
  }

  /** The entry at a path, whatever it is, without opening it for reading. The caller closes it. @throws ENOENT, EACCES, ENOTDIR */
  entryAt(path: string): OpenEntry {
    return new OpenEntry(openBelow(this.#descriptor, path, ENTRY_FLAGS));
  }

  /** This folder as an entry. The caller closes it. */
  asEntry(): OpenEntry {
    return new OpenEntry(openAt(NO_FOLDER, this.#path, O_PATH));
  }

  status(): FileStatus {
    return statusOf(this.#descriptor);
  }

  /** What `lstat` says of a path; undefined if there is nothing. @throws EACCES, ENOTDIR */
  statusAt(path: string): FileStatus | undefined {
    if (!path.includes('/') && path !== '..') return statusAt(this.#descriptor, path);
    const descriptor = openBelowNow(this.#descriptor, path, ENTRY_FLAGS);
    if (descriptor === -ENOENT) return undefined;
    if (descriptor < 0) throw systemError(-descriptor, 'open');
    try {
      return statusOf(descriptor);
    } finally {
      closeNow(descriptor);
    }
  }

  /** What `lstat` says of an entry; undefined if there is none. @throws EACCES */
  statusOf(name: string): FileStatus | undefined {
    return statusAt(this.#descriptor, name);
  }

  /** All entries in the disk's order. Bytes of a name that are not UTF-8 read as U+FFFD. @throws EACCES */
  entries(): Dirent[] {
    return readdirSync(this.#path, { withFileTypes: true });
  }

  /** The text of a link, as it is on the disk. @throws EINVAL if the entry is no link */
  linkTextOf(name: string): string {
    return readlinkSync(`${this.#path}/${name}`);
  }

  /** Makes a file and opens it for reading and writing; the caller closes the descriptor. @param flags further flags of open(2) */
  makeFile(name: string, flags: number, mode: number): number {
    return openAt(this.#descriptor, name, NEW_FILE_FLAGS | flags, mode);
  }

  makeFolder(name: string, mode: number): void {
    makeFolderAt(this.#descriptor, name, mode);
  }

  makeLink(text: string, name: string): void {
    makeLinkAt(text, this.#descriptor, name);
  }

  /** @param mode with the bits of the type */
  makeNode(name: string, mode: number, device: number): void {
    makeNodeAt(this.#descriptor, name, mode, device);
  }

  /** Gives an entry a second name. If it is a link, the link itself gets the name. */
  link(name: string, folder: OpenFolder, newName: string): void {
    linkAt(this.#descriptor, name, folder.#descriptor, newName);
  }

  /** @param flags flags of renameat2(2) */
  rename(name: string, folder: OpenFolder, newName: string, flags = 0): void {
    renameAt(this.#descriptor, name, folder.#descriptor, newName, flags);
  }

  remove(name: string): void {
    removeAt(this.#descriptor, name);
  }

  removeFolder(name: string): void {
    removeFolderAt(this.#descriptor, name);
  }

  /** Changes the owner of an entry, even of a link itself. A user or group that is undefined stays. @throws EPERM */
  changeOwnerOf(name: string, user: number | undefined, group: number | undefined): void {
    changeOwnerAt(this.#descriptor, name, user, group);
  }

  /** The free space of the disk for this user, and how many more files it may make. */
  space(): { readonly freeBytes: number; readonly freeFiles: number } {
    const { bavail, bsize, ffree } = statfsSync(this.#path);
    return { freeBytes: bavail * bsize, freeFiles: ffree };
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
