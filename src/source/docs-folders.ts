import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DocsFolder, type DocsSelection, pathInDocs, placeOf } from '../core/docs-selection.ts';
import { FsError, UserError } from '../core/errors.ts';
import { folderInfo } from '../core/node-info.ts';
import type { Awaitable, DirEntry, KnownVersion, NodeInfo, OpenFile } from '../core/resolver.ts';
import type { FileContent } from './docs-file.ts';
import type { Report } from './docs-problem.ts';
import type { DocsRoot } from './docs-root.ts';
import { type ScannedFile, type ScanOptions, scan } from './scan.ts';
import { findRoot, openSelected } from './selected-root.ts';

export interface DocsFoldersOptions {
  /** Absolute paths of folders inside the docs that are no docs, such as the state folder or a mount point. They are never touched. */
  readonly excluded: readonly string[];
  /** Called once for each thing that is not shown and that a person may miss. Default: nobody is told. */
  readonly report?: Report;
  /** Whether a root that cannot be read counts as empty. Default: it is refused. */
  readonly mayMiss?: boolean;
  /** Whether a scan of all roots also finds the kept files of modules. Default: the docs alone. */
  readonly scansModules?: boolean;
}

export interface FoldersScanOptions extends ScanOptions {
  /** Called in a scan of all roots for each that cannot be read, with its path in the docs. It is then left out. Default: the scan fails. */
  readonly onMissing?: (path: string) => void;
}

/**
 * All docs roots as one tree: the root itself if there is only one, or else a folder that shows each root by its name. The promises of {@link DocsRoot}
 * hold in each root, and no path or link leads from one to another. A root is opened when it is first used.
 */
export class DocsFolders {
  readonly #selection: DocsSelection;
  readonly #options: DocsFoldersOptions;
  readonly #opened = new Map<DocsFolder, DocsRoot>();
  readonly #closing = new AbortController();

  constructor(selection: DocsSelection, options: DocsFoldersOptions) {
    this.#selection = selection;
    this.#options = options;
  }

  /** @throws UserError if a root cannot be read */
  openAll(): void {
    try {
      for (const root of this.#selection.folders) this.#open(root);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Opens each root anew, as the folder that lies at its path now, if there is one. Paths are followed in the way that is safe for a process which serves a
   * mount.
   */
  async reopen(): Promise<void> {
    for (const root of this.#selection.folders) {
      try {
        const found = await findRoot(this.#selection, root);
        this.#replace(root, openSelected(this.#selection, root, this.#options, found));
      } catch (error) {
        // It is gone again.
        if (!(error instanceof UserError)) throw error;
      }
    }
  }

  #replace(root: DocsFolder, opened: DocsRoot): void {
    if (this.#closing.signal.aborted) {
      opened.close();
      return;
    }
    this.#opened.get(root)?.close();
    this.#opened.set(root, opened);
  }

  /** The roots, each with the real path of its folder if it is open. */
  shown(): DocsFolder[] {
    return this.#selection.folders.map((root) => ({
      ...root,
      folder: this.#opened.get(root)?.realPath ?? root.folder,
    }));
  }

  /** The real paths of the roots that are open, by name. */
  found(): ReadonlyMap<string, string> {
    return new Map([...this.#opened].map(([{ name }, { realPath }]) => [name, realPath]));
  }

  /** @throws FsError ENOENT, ENOTDIR, EACCES, EIO */
  stat(path: string): NodeInfo {
    return this.#isAbove(path) ? folderInfo(this.#newest()) : this.#in(path, (root, rest) => root.stat(rest));
  }

  /** As {@link DocsRoot.find}. @throws FsError ENOENT, ENOTDIR, EACCES, EIO */
  find(path: string): NodeInfo | undefined {
    return this.#isAbove(path) ? this.stat(path) : this.#in(path, (root, rest) => root.find(rest));
  }

  /** As {@link DocsRoot.statNames}. @throws FsError ENOENT, ENOTDIR, EACCES, EIO */
  statNames(path: string, names: readonly string[]): readonly (NodeInfo | undefined)[] {
    if (this.#isAbove(path)) return names.map((name) => this.#infoOfRoot(name));
    return this.#in(path, (root, rest) => root.statNames(rest, names));
  }

  /** The entries of a folder, sorted by code unit. @throws FsError ENOENT, ENOTDIR, EACCES, EIO */
  list(path: string): DirEntry[] {
    if (!this.#isAbove(path)) return this.#in(path, (root, rest) => root.list(rest));
    const names = this.#selection.folders.map(({ name }) => name).sort();
    return names.map((name) => ({ name, kind: 'directory' }));
  }

  /** As {@link DocsRoot.listInTurns}. @throws FsError */
  listInTurns(path: string): Awaitable<readonly DirEntry[]> {
    return this.#isAbove(path) ? this.list(path) : this.#in(path, (root, rest) => root.listInTurns(rest));
  }

  /** As {@link DocsRoot.open}. @throws FsError */
  open(path: string, known?: KnownVersion): OpenFile {
    if (this.#isAbove(path)) throw new FsError('EISDIR', path, 'this is a folder');
    return this.#in(path, (root, rest) => root.open(rest, known));
  }

  /** As {@link DocsRoot.openStill}. @throws FsError */
  openStill(path: string, known: KnownVersion): OpenFile | undefined {
    if (this.#isAbove(path)) throw new FsError('EISDIR', path, 'this is a folder');
    return this.#in(path, (root, rest) => root.openStill(rest, known));
  }

  /** As {@link DocsRoot.readContent}. @throws FsError */
  readContent(path: string, maxBytes: number): FileContent {
    if (this.#isAbove(path)) throw new FsError('EISDIR', path, 'this is a folder');
    return this.#in(path, (root, rest) => root.readContent(rest, maxBytes));
  }

  /** As {@link DocsRoot.readLink}. @throws FsError */
  readLink(path: string): string {
    if (this.#isAbove(path)) throw new FsError('EINVAL', path, 'this is not a link');
    return this.#in(path, (root, rest) => root.readLink(rest));
  }

  /**
   * Finds every regular file that is shown, as {@link scan} does, one root after the other.
   * @throws UserError if a root cannot be read
   */
  *scan({
    at = '',
    onMissing,
    ...options
  }: FoldersScanOptions = {}): Generator<ScannedFile, void, undefined> {
    if (at === '' && this.#options.scansModules) yield* this.scanModules(options);
    if (at === '') {
      for (const root of this.#selection.folders) {
        if (onMissing === undefined || this.#canOpen(root)) yield* this.#scanRoot(root, options);
        else onMissing(root.name);
      }
      return;
    }
    const place = placeOf(this.#selection, at);
    if (place === undefined || (at.startsWith('/') && !this.#canOpen(place.root))) return;
    yield* this.#scanRoot(place.root, { ...options, at: place.path });
  }

  /** Frees the descriptors of folders. No method may be called after it. Files that are open stay open. */
  close(): void {
    this.#closing.abort();
    for (const root of this.#opened.values()) root.close();
    this.#opened.clear();
  }

  /** Finds the kept files of modules, as `scan` does for the docs. Their paths begin with a slash. @throws UserError if a folder cannot be read */
  *scanModules(options: ScanOptions = {}): Generator<ScannedFile, void, undefined> {
    for (const root of this.#selection.modules ?? []) {
      if (this.#canOpen(root)) yield* this.#scanRoot(root, options);
    }
  }

  /** Whether the way to a module's folder has no links: as a part of the state folder, it may have come with the docs, links and all. */
  #isOwnFolder({ folder }: DocsFolder): boolean {
    const path = [dirname(dirname(folder)), dirname(folder), folder];
    return path.every((part) => lstatSync(part, { throwIfNoEntry: false })?.isDirectory());
  }

  *#scanRoot(root: DocsFolder, options: ScanOptions): Generator<ScannedFile, void, undefined> {
    const opened = this.#open(root);
    if (root.name === '') {
      yield* scan(opened, options);
      return;
    }
    const { onFolder, onFailure, ...rest } = options;
    const told = {
      ...(onFolder && { onFolder: (path: string) => onFolder(pathInDocs(root, path)) }),
      ...(onFailure && { onFailure: (path: string) => onFailure(pathInDocs(root, path)) }),
    };
    for (const file of scan(opened, { ...rest, ...told }))
      yield { ...file, path: pathInDocs(root, file.path) };
  }

  /** Whether the path is that of the folder that shows several roots. */
  #isAbove(path: string): boolean {
    return path === '' && this.#selection.folders.length > 1;
  }

  #infoOfRoot(name: string): NodeInfo | undefined {
    try {
      return this.stat(name);
    } catch (error) {
      if (error instanceof FsError) return undefined;
      throw error;
    }
  }

  #newest(): bigint {
    const roots = this.#options.mayMiss
      ? this.#selection.folders.filter((root) => this.#canOpen(root))
      : this.#selection.folders;
    const times = roots.map((root) => this.#open(root).stat('').modifiedNs);
    return times.reduce((a, b) => (b > a ? b : a), 0n);
  }

  #in<T>(path: string, ask: (root: DocsRoot, rest: string) => T): T {
    const place = placeOf(this.#selection, path);
    if (place === undefined) throw new FsError('ENOENT', path, 'there is no docs root with this name');
    if (this.#options.mayMiss && !this.#canOpen(place.root))
      throw new FsError('ENOENT', path, 'the docs are not there');
    return ask(this.#open(place.root), place.path);
  }

  #canOpen(root: DocsFolder): boolean {
    try {
      this.#open(root);
      return true;
    } catch (error) {
      if (error instanceof UserError) return false;
      throw error;
    }
  }

  #open(root: DocsFolder): DocsRoot {
    let opened = this.#opened.get(root);
    if (opened === undefined) {
      if (root.name.startsWith('/') && !this.#isOwnFolder(root))
        throw new UserError(`${root.folder}: it is a link, or not there`);
      opened = openSelected(this.#selection, root, this.#options);
      this.#opened.set(root, opened);
    }
    return opened;
  }
}
