import { accessSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT, FsError, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { folderInfo } from '../core/node-info.ts';
import type { Awaitable, DirEntry, KnownVersion, NodeInfo, OpenFile } from '../core/resolver.ts';
import { closeNow } from '../system/files.ts';
import { isOutOfFiles, refusalOf, refusing } from './disk-error.ts';
import { DiskFolder, READABLE } from './disk-folder.ts';
import { type FileContent, openDocsFile, readContent, readFile, unreadFile } from './docs-file.ts';
import type { Report } from './docs-problem.ts';
import { infoAt, type OpenedFile, openFile } from './entry-info.ts';
import type { FileChoice } from './file-choice.ts';
import { IGNORE_FILES } from './ignore-files.ts';
import { ShownTree } from './shown-tree.ts';
import { type Exclude, type VisibleFolder, VisibleTree } from './visible-tree.ts';

/** The size of a folder as the disk reports it; each name takes some 20 to 40 bytes. */
const SMALL_FOLDER_BYTES = 64 * 1024;

export interface DocsRootOptions {
  /**
   * Says whether a path, relative to the docs root, is hidden with everything below it: the state folder, or a mount point inside the root. The disk is never
   * asked about such a path. Default: nothing is hidden by this.
   */
  readonly exclude?: Exclude;
  /** Which of the files are shown at all. Default: all of them. */
  readonly choice?: FileChoice;
  /** Called once for each thing that is not shown and that a person may miss. */
  readonly report: Report;
}

/**
 * Opens the docs folder. Its descriptor stays open until `close`, so the root remains that folder even if its path comes to lead to another one.
 * @param folder as the user named it; links on the way to it are followed once
 * @throws UserError if it is missing, no folder, or not readable by this user
 */
export function openDocsRoot(folder: string, options: DocsRootOptions): DocsRoot {
  const top = foundFolder(folder);
  try {
    accessSync(top.handlePath, READABLE);
  } catch (error) {
    top.close();
    throw notOpened(folder, error);
  }
  return docsRootOf(folder, top, options);
}

function foundFolder(folder: string): DiskFolder {
  try {
    return DiskFolder.open(folder);
  } catch (error) {
    throw notOpened(folder, error);
  }
}

/**
 * Opens the folder that lies at the path of the docs now, for a process that serves a mount: a folder inside that mount is refused, and one that does not
 * answer counts as away.
 * @throws UserError if it is missing, no folder, not readable by this user, or does not answer
 */
export async function findDocsFolder(folder: string): Promise<DiskFolder> {
  let top: DiskFolder | undefined;
  try {
    top = await DiskFolder.openLater(folder);
    await top.lookLater(IGNORE_FILES);
    return top;
  } catch (error) {
    top?.close();
    throw notOpened(folder, error);
  }
}

/** As {@link openDocsRoot}, for a folder that is open already. @param top closed with the root, and if this throws */
export function docsRootOf(folder: string, top: DiskFolder, options: DocsRootOptions): DocsRoot {
  try {
    return new DocsRoot(top.realPath(), resolve(folder), top, options);
  } catch (error) {
    top.close();
    throw notOpened(folder, error);
  }
}

function notOpened(folder: string, error: unknown): UserError {
  return new UserError(whyNotOpened(folder, error), EXIT.failed, { cause: error });
}

function whyNotOpened(folder: string, error: unknown): string {
  switch (systemCodeOf(error)) {
    case 'ENOENT':
      return `the docs folder ${folder} does not exist`;
    case 'ENOTDIR':
      return `the docs folder ${folder} is not a folder`;
    case 'EACCES':
      return `the docs folder ${folder} cannot be read by this user`;
    default:
      return `the docs folder ${folder} cannot be opened: ${reasonOf(error)}`;
  }
}

/**
 * The files of the docs folder, safe to give out: no path leads out of the folder, through a link or otherwise. Whatever is hidden (by an ignore file, as a dot
 * folder, `.git`, by `exclude`) counts as missing. Paths are relative to the root. No link in a path is followed, neither the last name nor those before it.
 */
export class DocsRoot {
  /** Where the folder lay when it was opened, absolute. It is for the watcher and for messages on this machine. */
  readonly realPath: string;
  /** The tree below, to be walked by a scan. */
  readonly tree: ShownTree;
  readonly #top: DiskFolder;

  /** @param top closed by `close` */
  constructor(realPath: string, givenPath: string, top: DiskFolder, options: DocsRootOptions) {
    const visible = new VisibleTree(top, options);
    this.realPath = realPath;
    this.tree = new ShownTree(visible, givenPath);
    this.#top = top;
  }

  /** What lies at a path. Size and time are those of the disk. @throws FsError ENOENT, ENOTDIR, EACCES, EIO */
  stat(path: string): NodeInfo {
    return this.find(path) ?? missing(path);
  }

  /** As `stat`, but undefined if the folder has no entry of that name. @throws FsError ENOENT, ENOTDIR, EACCES, EIO */
  find(path: string): NodeInfo | undefined {
    return this.#answer(path, () => {
      if (path === '') return folderInfo(this.#top.status().modifiedNs);
      return this.#in(path, (folder, name) => infoAt(this.tree, folder, name));
    });
  }

  /** What `stat` says of names in a folder; undefined for each name for which it would fail. @throws FsError ENOENT, ENOTDIR, EACCES, EIO */
  statNames(path: string, names: readonly string[]): (NodeInfo | undefined)[] {
    return this.#answer(path, () =>
      this.tree.within(path, path, 'recent', (folder) => names.map((name) => this.#infoIn(folder, name))),
    );
  }

  /** The entries of a folder, sorted by code unit. @throws FsError ENOENT, ENOTDIR, EACCES, EIO */
  list(path: string): DirEntry[] {
    return this.#answer(path, () =>
      this.tree.within(path, path, 'new', (folder) => this.tree.entries(folder)),
    );
  }

  /** As `list`, but a large folder is read in pieces, and others get their turn in between. @throws FsError as `list`, or rejects with it */
  listInTurns(path: string): Awaitable<readonly DirEntry[]> {
    return this.#answer(path, () =>
      this.tree.within<Awaitable<readonly DirEntry[]>>(path, path, 'new', (folder) => {
        if (folder.disk.status().sizeBytes <= SMALL_FOLDER_BYTES) return this.tree.entries(folder);
        return this.tree.entriesInTurns(folder).catch((error: unknown) => {
          throw refusalOf(error, path);
        });
      }),
    );
  }

  /**
   * Calls `body` with a path that leads to a folder of the docs for the time of the call, for system calls that take no descriptor. Whatever happens on the way
   * to the folder meanwhile, the path leads nowhere else. @throws FsError ENOENT, ENOTDIR, EACCES, EIO; and what `body` throws
   */
  withFolder<T>(path: string, body: (handlePath: string) => T): T {
    const result = this.#answer(path, () =>
      this.tree.within(path, path, 'recent', ({ disk }): (() => T) => {
        try {
          const value = body(disk.handlePath);
          return () => value;
        } catch (error) {
          // An error of `body` must not be taken for an answer of the disk.
          return () => {
            throw error;
          };
        }
      }),
    );
    return result();
  }

  /**
   * Opens a file. One of up to 4 MiB keeps the version that was opened; a larger one is read from the disk as it is at each read.
   * @param known the version that the caller was shown. If the caller has its bytes already, they are not read here. It may ask for them all the same, as the
   * kernel does when it is short of memory; if they were overwritten by then, reading fails with EIO
   * @throws FsError ENOENT, ENOTDIR, EISDIR, ELOOP for a link, EACCES, EBUSY if another program holds it, EIO
   */
  open(path: string, known?: KnownVersion): OpenFile {
    return this.#answer(path, () => {
      const still = known === undefined ? undefined : this.#openStill(path, known);
      if (still !== undefined) return still;
      const { descriptor, status } = this.#openDescriptor(path);
      return openDocsFile(descriptor, status, path);
    });
  }

  /** As {@link open}, but for that version alone. @returns undefined if there is another version by now. @throws FsError as `open` */
  openStill(path: string, known: KnownVersion): OpenFile | undefined {
    return this.#answer(path, () => this.#openStill(path, known));
  }

  /**
   * The whole content of a file, to be read into the graph.
   * @throws FsError as `open` does, and EFBIG for a file of more than `maxBytes`
   */
  readContent(path: string, maxBytes: number): FileContent {
    return this.#answer(path, () => {
      const { descriptor, status } = this.#openDescriptor(path);
      try {
        if (status.sizeBytes > maxBytes)
          throw new FsError('EFBIG', path, `it has more than ${maxBytes} bytes`);
        return readContent(descriptor, status);
      } finally {
        closeNow(descriptor);
      }
    });
  }

  /**
   * The text of a link as it is presented: relative, and never leading above the docs root.
   * @throws FsError EINVAL if the path is no link, ENOENT, ENOTDIR, EACCES, EIO
   */
  readLink(path: string): string {
    return this.#answer(path, () => {
      const look = (folder: VisibleFolder, name: string) => this.tree.look(folder, name) ?? missing(path);
      const text = path === '' ? undefined : this.#in(path, look).linkText;
      if (text === undefined) throw new FsError('EINVAL', path, 'this is not a link');
      return text;
    });
  }

  /** Frees the descriptors of folders. No method may be called after it. Files that are open stay open. */
  close(): void {
    this.tree.free();
    this.#top.close();
  }

  /** Runs an action. If there are no descriptors left, the folders that are kept open for speed are closed, and the action is run again. */
  #answer<T>(path: string, action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (isOutOfFiles(error) && this.tree.free()) return refusing(path, action);
      throw refusalOf(error, path);
    }
  }

  /**
   * Opens the file at a path if it still has a known version. That takes two system calls, whatever the depth: an unchanged file need not be looked at again,
   * and ignore rules that did not hide its name 100 ms ago are good enough.
   */
  #openStill(path: string, { version, hasBytes }: KnownVersion): OpenFile | undefined {
    const { folderPath, name } = splitPath(path);
    if (!this.tree.showedFile(folderPath, name)) return undefined;
    const descriptor = hasBytes ? this.#top.findFileBelow(path) : this.#top.openFileBelow(path);
    if (descriptor === undefined) return undefined;
    return hasBytes ? unreadFile(descriptor, path, version) : readFile(descriptor, path, version);
  }

  #openDescriptor(path: string): OpenedFile {
    if (path === '') throw new FsError('EISDIR', path, 'this is a folder');
    return this.#in(path, (folder, name) => {
      const { kind } = this.tree.look(folder, name) ?? missing(path);
      if (kind === 'directory') throw new FsError('EISDIR', path, 'this is a folder');
      if (kind === 'link') throw new FsError('ELOOP', path, 'this is a link; a link is read, not opened');
      return openFile(folder, name) ?? missing(path);
    });
  }

  #infoIn(folder: VisibleFolder, name: string): NodeInfo | undefined {
    try {
      return infoAt(this.tree, folder, name);
    } catch (error) {
      if (systemCodeOf(error) === undefined) throw error;
      return undefined;
    }
  }

  /** Calls `body` with the folder of an entry, and the name of the entry in it. */
  #in<T>(path: string, body: (folder: VisibleFolder, name: string) => T): T {
    if (path.startsWith('/')) return missing(path);
    const { folderPath, name } = splitPath(path);
    return this.tree.within(folderPath, path, 'recent', (folder) => body(folder, name));
  }
}

function splitPath(path: string): { readonly folderPath: string; readonly name: string } {
  const slash = path.lastIndexOf('/');
  return { folderPath: slash === -1 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}

/** @throws FsError ENOENT */
function missing(path: string): never {
  throw new FsError('ENOENT', path, 'there is no such file in the docs folder');
}
