import type { BigIntStats } from 'node:fs';
import type { DiskFolder } from '../core/disk-folder.ts';
import { systemCodeOf } from '../core/errors.ts';
import { MAX_PATH_BYTES } from '../core/paths.ts';
import type { PlainKind } from '../core/resolver.ts';
import { type DocsProblemCode, type Report, reportOnce } from './docs-problem.ts';
import { IgnoreFiles } from './ignore-files.ts';
import type { IgnoreRules } from './ignore-rules.ts';

/** A walk holds a descriptor for each folder on its way, and patterns cost more the deeper a path is. */
const MAX_DEPTH = 128;

/** A folder that is shown, held open. */
export interface VisibleFolder {
  /** Relative to the docs root, `` for the root itself. */
  readonly path: string;
  /** How many folders below the root it lies. */
  readonly depth: number;
  readonly disk: DiskFolder;
  readonly rules: IgnoreRules | undefined;
}

/** An entry whose name and kind are shown; where a link leads is not looked at here. */
export interface VisibleEntry {
  readonly name: string;
  readonly kind: PlainKind;
  readonly status: BigIntStats;
}

/** Whether a path, relative to the docs root, is hidden with all below it, without being looked at on disk. */
export type Exclude = (path: string) => boolean;

/** The docs root without what its names, kinds and ignore files hide, one step at a time. */
export class VisibleTree {
  /** Tells each problem of a path once. */
  readonly report: Report;
  readonly #top: DiskFolder;
  readonly #exclude: Exclude;
  readonly #ignoreFiles: IgnoreFiles;

  /** @param top the docs root itself, which the caller closes */
  constructor(top: DiskFolder, exclude: Exclude, report: Report) {
    this.#top = top;
    this.#exclude = exclude;
    this.report = reportOnce(report);
    this.#ignoreFiles = new IgnoreFiles(this.report);
  }

  /** @throws the disk's own errors, as do all methods here */
  root(): VisibleFolder {
    return {
      path: '',
      depth: 0,
      disk: this.#top,
      rules: this.#ignoreFiles.rulesOf(this.#top, '', undefined),
    };
  }

  /** The names on the way from `/` to where the docs root lies now. */
  rootNames(): string[] {
    return this.#top.realPath().split('/').slice(1);
  }

  /** The folder `name`, for `leave` to close; undefined where that is hidden, missing, a file or a link. */
  enter(folder: VisibleFolder, name: string): VisibleFolder | undefined {
    if (!this.#mayTouch(folder, name) || !isShown(folder, name, 'directory')) return undefined;
    const disk = enterDisk(folder.disk, name);
    if (disk === undefined) return undefined;
    try {
      const path = pathIn(folder, name);
      return {
        path,
        depth: folder.depth + 1,
        disk,
        rules: this.#ignoreFiles.rulesOf(disk, path, folder.rules),
      };
    } catch (error) {
      disk.close();
      throw error;
    }
  }

  leave(folder: VisibleFolder): void {
    if (folder.disk !== this.#top) folder.disk.close();
  }

  /** What lies at `name`: an entry, or why there is none. */
  look(folder: VisibleFolder, name: string): VisibleEntry | 'hidden' | 'missing' {
    if (!this.#mayTouch(folder, name)) return 'hidden';
    const status = folder.disk.statusOf(name);
    if (status === undefined) return 'missing';
    const kind = kindOf(status);
    return kind !== undefined && isShown(folder, name, kind) ? { name, kind, status } : 'hidden';
  }

  /** All that is shown in a folder, sorted by code unit. */
  entries(folder: VisibleFolder): Omit<VisibleEntry, 'status'>[] {
    return folder.disk
      .entries()
      .flatMap((entry) => {
        const { name } = entry;
        const kind = kindOf(entry);
        if (kind === undefined || !isShown(folder, name, kind)) return [];
        this.#reportName(folder, name);
        return this.#mayTouch(folder, name) ? [{ name, kind }] : [];
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  tell(path: string, code: DocsProblemCode, message: string): void {
    this.report({ path, line: 0, code, message });
  }

  /**
   * Whether the disk may be asked about a name at all. What is excluded may be kgraphfs' own mount point, which
   * nothing in this process must touch.
   */
  #mayTouch(folder: VisibleFolder, name: string): boolean {
    const path = pathIn(folder, name);
    return (
      name !== '.git' && !isNotUtf8(name) && !isTooLong(path) && !isTooDeep(folder) && !this.#exclude(path)
    );
  }

  /** Said of names that are there; a caller who asks for an impossible one is told by an errno alone. */
  #reportName(folder: VisibleFolder, name: string): void {
    const path = pathIn(folder, name);
    if (isNotUtf8(name)) {
      this.tell(path, 'name-not-utf8', 'this name is not UTF-8 text, so it is not shown; rename it');
    } else if (isTooLong(path)) {
      this.tell(path, 'path-too-long', `a path of more than ${MAX_PATH_BYTES} bytes is not shown`);
    } else if (isTooDeep(folder)) {
      this.tell(folder.path, 'path-too-deep', `what lies more than ${MAX_DEPTH} folders deep is not shown`);
    }
  }
}

function isTooDeep(folder: VisibleFolder): boolean {
  return folder.depth >= MAX_DEPTH;
}

function isNotUtf8(name: string): boolean {
  return name.includes('\uFFFD') || !name.isWellFormed();
}

function isTooLong(path: string): boolean {
  return path.length > MAX_PATH_BYTES / 4 && Buffer.byteLength(path) > MAX_PATH_BYTES;
}

/** The path of an entry, relative to the docs root. */
export function pathIn(folder: VisibleFolder, name: string): string {
  return folder.path === '' ? name : `${folder.path}/${name}`;
}

function isShown(folder: VisibleFolder, name: string, kind: PlainKind): boolean {
  if (kind === 'directory' && name.startsWith('.')) return false;
  if (folder.rules === undefined) return true;
  const path = pathIn(folder, name);
  return !folder.rules.excludes(kind === 'directory' ? `${path}/` : path);
}

/** What `Stats` and `Dirent` have in common. */
interface Kinded {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** Undefined for what a tree of documents does not show: a FIFO, a socket, a device. */
function kindOf(entry: Kinded): PlainKind | undefined {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : undefined;
}

function enterDisk(folder: DiskFolder, name: string): DiskFolder | undefined {
  try {
    return folder.enter(name);
  } catch (error) {
    const errno = systemCodeOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return undefined;
    throw error;
  }
}
