import { accessSync, type BigIntStats, closeSync, constants, fstatSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { DiskFolder } from '../core/disk-folder.ts';
import { FsError, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { fileInfo, folderInfo, linkInfo } from '../core/node-info.ts';
import type { DirEntry, NodeInfo, OpenFile } from '../core/resolver.ts';
import { refusalOf } from './disk-error.ts';
import { type FileContent, openDocsFile, readContent } from './docs-file.ts';
import type { Report } from './docs-problem.ts';
import { type ShownEntry, ShownTree } from './shown-tree.ts';
import { type Exclude, type VisibleFolder, VisibleTree } from './visible-tree.ts';

export interface DocsRootOptions {
  /**
   * Hides a path, relative to the docs root, with all below it: the state folder, and a mount point that lies inside.
   * The disk is never asked about what this hides. Hides nothing unless given.
   */
  readonly exclude?: Exclude;
  /** Told once of each thing that is not shown and that a person may miss. */
  readonly report: Report;
}

/**
 * Opens the docs folder. Its descriptor stays open until `close`, so the root remains that folder even where the path
 * comes to name another.
 * @param folder as the user named it; links on the way to it are followed, once
 * @throws UserError where it is missing, no folder, or not readable by this user
 */
export function openDocsRoot(folder: string, options: DocsRootOptions): DocsRoot {
  try {
    const realPath = realpathSync.native(folder);
    const top = DiskFolder.open(realPath);
    try {
      accessSync(realPath, constants.R_OK | constants.X_OK);
    } catch (error) {
      top.close();
      throw error;
    }
    return new DocsRoot(realPath, resolve(folder), top, options);
  } catch (error) {
    throw new UserError(whyNotOpened(folder, error), 1, { cause: error });
  }
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
 * The files of the docs folder, safe to give out: no path leads out of the folder, through a link or otherwise, and
 * what is hidden (by an ignore file, as a dot folder, `.git`, by `exclude`) is as if it were not there. Paths are
 * relative to the root; links are not followed, neither the last name nor those before it.
 */
export class DocsRoot {
  /** Where the folder lay when it was opened, absolute, for the watcher and for messages on this machine. */
  readonly realPath: string;
  /** The way into the tree for a scan. */
  readonly tree: ShownTree;
  readonly #top: DiskFolder;

  /** @param top which `close` closes */
  constructor(realPath: string, givenPath: string, top: DiskFolder, options: DocsRootOptions) {
    const visible = new VisibleTree(top, options.exclude ?? (() => false), options.report);
    this.realPath = realPath;
    this.tree = new ShownTree(visible, givenPath);
    this.#top = top;
  }

  /** Size and time are the disk's. @throws FsError ENOENT, ENOTDIR, EACCES, EIO */
  stat(path: string): NodeInfo {
    return answer(path, () => {
      if (path === '') return infoOf({ name: '', kind: 'directory', status: this.#top.status() });
      return this.#at(path, (_folder, entry) => infoOf(entry));
    });
  }

  /** Sorted by code unit. @throws FsError ENOENT, ENOTDIR, EACCES, EIO */
  list(path: string): DirEntry[] {
    return answer(path, () => this.tree.within(namesOf(path), path, (folder) => this.tree.entries(folder)));
  }

  /**
   * A file of up to 4 MiB keeps the version that was opened; a larger one is read from the disk as it is then.
   * @throws FsError ENOENT, ENOTDIR, EISDIR, ELOOP for a link, EACCES, EIO
   */
  open(path: string): OpenFile {
    return answer(path, () => {
      const { descriptor, status } = this.#openDescriptor(path);
      return openDocsFile(descriptor, status, path);
    });
  }

  /**
   * The whole content of a file, for reading into the graph.
   * @throws FsError as `open` does, and EFBIG for a file of more than `maxBytes`
   */
  readContent(path: string, maxBytes: number): FileContent {
    return answer(path, () => {
      const { descriptor, status } = this.#openDescriptor(path);
      try {
        if (status.size > maxBytes) throw new FsError('EFBIG', path, `it has more than ${maxBytes} bytes`);
        return readContent(descriptor, status);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  /**
   * The text of a link as it is presented: relative, and never leading above the docs root.
   * @throws FsError EINVAL where the path is no link, ENOENT, ENOTDIR, EACCES, EIO
   */
  readLink(path: string): string {
    return answer(path, () => {
      const text = path === '' ? undefined : this.#at(path, (_folder, entry) => entry.linkText);
      if (text === undefined) throw new FsError('EINVAL', path, 'this is no link');
      return text;
    });
  }

  /** Frees the folder's descriptor; no method may be called after it. Files that are open stay so. */
  close(): void {
    this.#top.close();
  }

  #openDescriptor(path: string): { descriptor: number; status: BigIntStats } {
    if (path === '') throw new FsError('EISDIR', path, 'this is a folder');
    return this.#at(path, (folder, { name, kind }) => {
      if (kind === 'directory') throw new FsError('EISDIR', path, 'this is a folder');
      if (kind === 'link') throw new FsError('ELOOP', path, 'this is a link; a link is read, not opened');
      const descriptor = folder.disk.openFile(name);
      const status = fstatSync(descriptor, { bigint: true });
      if (status.isFile()) return { descriptor, status };
      closeSync(descriptor);
      throw new FsError('ENOENT', path, 'there is no such file in the docs folder');
    });
  }

  /** Calls `body` with the entry at a path that is not the root, and the folder it lies in. */
  #at<T>(path: string, body: (folder: VisibleFolder, entry: ShownEntry) => T): T {
    const names = namesOf(path);
    const name = names.pop();
    return this.tree.within(names, path, (folder) => {
      const entry = name === undefined ? undefined : this.tree.look(folder, name);
      if (entry === undefined) throw new FsError('ENOENT', path, 'there is no such file in the docs folder');
      return body(folder, entry);
    });
  }
}

/** The names of a path, which need not have been normalised. @throws FsError ENOENT where it is no plain way down */
function namesOf(path: string): string[] {
  if (path === '') return [];
  const names = path.split('/');
  if (path.includes('\0') || names.some((name) => name === '' || name === '.' || name === '..')) {
    throw new FsError('ENOENT', path, 'a path in the docs folder has only names in it');
  }
  return names;
}

function infoOf({ kind, status, linkText }: ShownEntry): NodeInfo {
  switch (kind) {
    case 'directory':
      return folderInfo(status.mtimeNs);
    case 'link':
      return linkInfo(linkText ?? '', status.mtimeNs);
    case 'file':
      return fileInfo(Number(status.size), status.mtimeNs);
  }
}

function answer<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw refusalOf(error, path);
  }
}
