import { constants, type Dirent } from 'node:fs';
import { systemCodeOf } from '../core/errors.ts';
import { MAX_PATH_BYTES } from '../core/paths.ts';
import type { PlainKind } from '../core/resolver.ts';
import type { ContentStatus } from '../system/file-status.ts';
import type { DiskFolder } from './disk-folder.ts';
import { type DocsProblemCode, type Report, reportOnce } from './docs-problem.ts';
import { isEntryName } from './entry-name.ts';
import type { FileChoice } from './file-choice.ts';
import { IgnoreFiles } from './ignore-files.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { lookAtMountsAnew } from './own-mounts.ts';
import { isSecretFile } from './secret-file.ts';

/** A walk holds a descriptor for each folder on its way, and patterns cost more the deeper a path is. */
export const MAX_DEPTH = 128;

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
  readonly status: ContentStatus;
}

/** Whether a path, relative to the docs root, is hidden with all below it, without being looked at on disk. */
export type Exclude = (path: string) => boolean;

/** What hides files besides ignore files, and who is told of what is not shown. */
interface Hiding {
  readonly exclude?: Exclude;
  readonly choice?: FileChoice;
  readonly report: Report;
}

/** The docs root without what its names, kinds and ignore files hide, one step at a time. */
export class VisibleTree {
  /** Tells each problem of a path once. */
  readonly report: Report;
  readonly #top: DiskFolder;
  readonly #exclude: Exclude;
  readonly #choice: FileChoice | undefined;
  readonly #ignoreFiles: IgnoreFiles;
  /** By path, the disks that are mounted below the root and are docs. */
  readonly #otherDisks = new Map<string, number>();

  /** @param top the docs root itself, which the caller closes */
  constructor(top: DiskFolder, { exclude = () => false, choice, report }: Hiding) {
    this.#top = top;
    this.#exclude = exclude;
    this.#choice = choice;
    this.report = reportOnce(report);
    this.#ignoreFiles = new IgnoreFiles(this.report);
  }

  /** @throws the disk's own errors, as do all methods here */
  root(): VisibleFolder {
    return {
      path: '',
      depth: 0,
      disk: this.#top,
      rules: this.rulesOf(this.#top, '', undefined),
    };
  }

  /** What is hidden below a folder now: the same object until that changes. @param above the rules of the folder above */
  rulesOf(folder: DiskFolder, path: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
    return this.#ignoreFiles.rulesOf(folder, path, above);
  }

  /** The names on the way from `/` to where the docs root lies now. */
  rootNames(): string[] {
    return this.#top.realPath().split('/').slice(1);
  }

  /** The folder `name`, for `leave` to close; undefined where that is hidden, missing, a file or a link. */
  enter(folder: VisibleFolder, name: string): VisibleFolder | undefined {
    const path = pathIn(folder, name);
    if (!this.#mayTouch(folder, name, path) || !this.#isShown(folder, name, path, 'directory'))
      return undefined;
    const disk = enterDisk(folder.disk, name);
    if (disk === undefined) return undefined;
    try {
      if (this.#isExcludedMount(folder, path, disk)) {
        disk.close();
        return undefined;
      }
      return {
        path,
        depth: folder.depth + 1,
        disk,
        rules: this.rulesOf(disk, path, folder.rules),
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
    const path = pathIn(folder, name);
    if (!this.#mayTouch(folder, name, path)) return 'hidden';
    const status = folder.disk.statusOf(name);
    if (status === undefined) return 'missing';
    const kind = kindOfMode(status.mode);
    return kind !== undefined && this.#isShown(folder, name, path, kind) ? { name, kind, status } : 'hidden';
  }

  /** Whether a file of this name is shown, if there is one. */
  showsFile(folder: VisibleFolder, name: string): boolean {
    const path = pathIn(folder, name);
    return this.#mayTouch(folder, name, path) && this.#isShown(folder, name, path, 'file');
  }

  /** All that is shown in a folder, sorted by code unit. */
  entries(folder: VisibleFolder): Omit<VisibleEntry, 'status'>[] {
    return this.shownOf(folder, folder.disk.entries());
  }

  /** What is shown of some entries of a folder, which need not be open any more; sorted by code unit. */
  shownOf(folder: Omit<VisibleFolder, 'disk'>, entries: readonly Dirent[]): Omit<VisibleEntry, 'status'>[] {
    return entries
      .flatMap((entry) => {
        const { name } = entry;
        const kind = kindOf(entry);
        const path = pathIn(folder, name);
        if (kind === undefined || !this.#isShown(folder, name, path, kind)) return [];
        this.#reportName(folder, name, path);
        return this.#mayTouch(folder, name, path) ? [{ name, kind }] : [];
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
  #mayTouch(folder: Omit<VisibleFolder, 'disk'>, name: string, path: string): boolean {
    return (
      isEntryName(name) &&
      name !== '.git' &&
      !isNotUtf8(name) &&
      !isTooLong(path) &&
      !isTooDeep(folder) &&
      !this.#exclude(path)
    );
  }

  /**
   * Whether a folder that was entered is a mount that came after the table of mounts was read last. Nothing was asked of whoever serves it.
   * A disk that was none of ours is known by its number from then on, so that the table is read once for it, and not at each look.
   */
  #isExcludedMount(above: VisibleFolder, path: string, entered: DiskFolder): boolean {
    const disk = entered.disk();
    if (disk === above.disk.disk() || this.#otherDisks.get(path) === disk) return false;
    lookAtMountsAnew();
    if (this.#exclude(path)) return true;
    this.#otherDisks.set(path, disk);
    return false;
  }

  #isShown({ rules }: Pick<VisibleFolder, 'rules'>, name: string, path: string, kind: PlainKind): boolean {
    if (kind === 'directory' ? name.startsWith('.') : isSecretFile(name)) return false;
    if (this.#choice?.shows(path, kind) === false) return false;
    return rules === undefined || !rules.excludes(kind === 'directory' ? `${path}/` : path);
  }

  /** Said of names that are there; a caller who asks for an impossible one is told by an errno alone. */
  #reportName(folder: Omit<VisibleFolder, 'disk'>, name: string, path: string): void {
    if (isNotUtf8(name)) {
      this.tell(path, 'name-not-utf8', 'this name is not UTF-8 text, so it is not shown; rename it');
    } else if (isTooLong(path)) {
      this.tell(path, 'path-too-long', `a path of more than ${MAX_PATH_BYTES} bytes is not shown`);
    } else if (isTooDeep(folder)) {
      this.tell(folder.path, 'path-too-deep', `what lies more than ${MAX_DEPTH} folders deep is not shown`);
    }
  }
}

function isTooDeep(folder: Pick<VisibleFolder, 'depth'>): boolean {
  return folder.depth >= MAX_DEPTH;
}

export function isNotUtf8(name: string): boolean {
  return name.includes('\uFFFD') || !name.isWellFormed();
}

export function isTooLong(path: string): boolean {
  return path.length > MAX_PATH_BYTES / 4 && Buffer.byteLength(path) > MAX_PATH_BYTES;
}

/** The path of an entry, relative to the docs root. */
export function pathIn(folder: Pick<VisibleFolder, 'path'>, name: string): string {
  return folder.path === '' ? name : `${folder.path}/${name}`;
}

/** By the bits of their types. A tree of documents does not show the others: a FIFO, a socket, a device. */
const KINDS: ReadonlyMap<number, PlainKind> = new Map([
  [constants.S_IFREG, 'file'],
  [constants.S_IFDIR, 'directory'],
  [constants.S_IFLNK, 'link'],
]);

/** Undefined for what is not shown. @param mode of `stat(2)` */
export function kindOfMode(mode: number): PlainKind | undefined {
  return KINDS.get(mode & constants.S_IFMT);
}

function kindOf(entry: Dirent): PlainKind | undefined {
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
