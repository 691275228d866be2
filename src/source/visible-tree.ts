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

/** A folder that is shown and held open. */
export interface VisibleFolder {
  /** Relative to the docs root; empty for the root itself. */
  readonly path: string;
  /** How many folders below the root it lies. */
  readonly depth: number;
  readonly disk: DiskFolder;
  readonly rules: IgnoreRules | undefined;
}

/** An entry whose name and kind are shown. Where a link leads is not considered here. */
export interface VisibleEntry {
  readonly name: string;
  readonly kind: PlainKind;
  readonly status: ContentStatus;
}

/** Whether a path, relative to the docs root, is hidden with everything below it. The disk is not asked. */
export type Exclude = (path: string) => boolean;

/** What hides files in addition to ignore files, and who is told of what is not shown. */
interface Hiding {
  readonly exclude?: Exclude;
  readonly choice?: FileChoice;
  readonly report: Report;
}

/** The docs root without entries that are hidden by their name, their kind or an ignore file, to be walked one step at a time. */
export class VisibleTree {
  /** Reports each problem of a path once. */
  readonly report: Report;
  readonly #top: DiskFolder;
  readonly #exclude: Exclude;
  readonly #choice: FileChoice | undefined;
  readonly #ignoreFiles: IgnoreFiles;
  /** The disks that are mounted below the root and are docs, by path. */
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

  /** The rules that hide files below a folder now: the same object until they change. @param above the rules of the folder above */
  rulesOf(folder: DiskFolder, path: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
    return this.#ignoreFiles.rulesOf(folder, path, above);
  }

  /** The names on the way from `/` to the present place of the docs root. */
  rootNames(): string[] {
    return this.#top.realPath().split('/').slice(1);
  }

  /** Opens the folder `name`, which `leave` closes; undefined if it is hidden, missing, a file or a link. */
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

  /** The entry at `name`, or why there is none. */
  look(folder: VisibleFolder, name: string): VisibleEntry | 'hidden' | 'missing' {
    const path = pathIn(folder, name);
    if (!this.#mayTouch(folder, name, path)) return 'hidden';
    const status = folder.disk.statusOf(name);
    if (status === undefined) return 'missing';
    const kind = kindOfMode(status.mode);
    return kind !== undefined && this.#isShown(folder, name, path, kind) ? { name, kind, status } : 'hidden';
  }

  /** Whether a file with this name is shown if it exists. */
  showsFile(folder: VisibleFolder, name: string): boolean {
    const path = pathIn(folder, name);
    return this.#mayTouch(folder, name, path) && this.#isShown(folder, name, path, 'file');
  }

  /** All entries that are shown in a folder, sorted by code unit. */
  entries(folder: VisibleFolder): Omit<VisibleEntry, 'status'>[] {
    return this.shownOf(folder, folder.disk.entries());
  }

  /** Those of some entries of a folder that are shown, sorted by code unit. The folder need not be open any more. */
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

  /** Whether the disk may be asked about a name at all. An excluded path may be kgraphfs' own mount point, which nothing in this process may touch. */
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
   * Whether a folder that was entered is a kgraphfs mount that was made after the table of mounts was last read. The server of the folder's disk is not asked.
   * A disk that turns out not to be ours is remembered by its number, so that the table is read once for it, and not at each look.
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

  /** Reports an entry that exists but whose name cannot be shown. A caller that asks for such a name gets an errno alone. */
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

/** Kinds by the type bits of a mode. A tree of documents shows no others: no FIFO, socket or device. */
const KINDS: ReadonlyMap<number, PlainKind> = new Map([
  [constants.S_IFREG, 'file'],
  [constants.S_IFDIR, 'directory'],
  [constants.S_IFLNK, 'link'],
]);

/** @param mode as in `stat(2)`. @returns undefined for a kind that is not shown */
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
