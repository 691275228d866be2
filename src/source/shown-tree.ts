import { FsError, systemCodeOf } from '../core/errors.ts';
import { diskReasonOf } from './disk-error.ts';
import type { DocsProblemCode } from './docs-problem.ts';
import { isEntryName } from './entry-name.ts';
import { KeptFolders, type RulesAge } from './kept-folders.ts';
import { presentedText, targetOf } from './link-target.ts';
import { mergedInTurns, Turns } from './turns.ts';
import { pathIn, type VisibleEntry, type VisibleFolder, type VisibleTree } from './visible-tree.ts';

/** How often a name is looked at, at most, if its link or file is replaced before it is read. */
export const MAX_LOOKS = 3;
/** Stands for the text of a link that was replaced by something else a moment ago. */
const NO_LINK = Symbol('no link');

/** An entry that is shown. */
export interface ShownEntry extends VisibleEntry {
  /** For a link, the text with which it is presented. */
  readonly linkText?: string;
}

type ListedEntry = Omit<VisibleEntry, 'status'>;

/** The visible tree without links that lead out of it or to something hidden. Every method may also fail with the disk's own errors. */
export class ShownTree {
  readonly visible: VisibleTree;
  readonly #givenRoot: string;
  readonly #kept: KeptFolders;

  /** @param givenRoot the absolute path by which the user named the docs root */
  constructor(visible: VisibleTree, givenRoot: string) {
    this.visible = visible;
    this.#givenRoot = givenRoot;
    this.#kept = new KeptFolders(visible);
  }

  /**
   * Calls `body` with the folder at a path, which is open for the time of the call.
   * @param asked the path to name in an error
   * @throws FsError ENOENT, ENOTDIR
   */
  within<T>(path: string, asked: string, rules: RulesAge, body: (folder: VisibleFolder) => T): T {
    const kept = this.#kept.find(path, rules);
    return kept === undefined ? this.#walk(namesOf(path, asked), asked, body) : body(kept);
  }

  /** Whether a file at a path is shown if it exists, as far as that is known without looking at the disk; false if it is not known. */
  showedFile(folderPath: string, name: string): boolean {
    const folder = this.#kept.latest(folderPath);
    return folder !== undefined && this.visible.showsFile(folder, name);
  }

  /** Closes the folders that are kept open for the next lookup. @returns whether there were any */
  free(): boolean {
    return this.#kept.free();
  }

  /** The entry that is shown as `name`; undefined if it is hidden or missing. */
  look(folder: VisibleFolder, name: string): ShownEntry | undefined {
    for (let looks = 1; looks <= MAX_LOOKS; looks += 1) {
      const entry = this.visible.look(folder, name);
      if (entry === 'hidden' || entry === 'missing') return undefined;
      if (entry.kind !== 'link') return entry;
      const linkText = this.#linkTextOf(folder, name);
      if (linkText !== NO_LINK) return linkText === undefined ? undefined : { ...entry, linkText };
    }
    return undefined;
  }

  /** The entries shown in a folder, sorted by code unit. */
  entries(folder: VisibleFolder): ListedEntry[] {
    return this.visible.entries(folder).flatMap((entry) => this.#shownOf(folder, entry));
  }

  /** The entry, or what has its name by now; empty if that is not shown. */
  #shownOf(folder: VisibleFolder, entry: ListedEntry): ListedEntry[] {
    if (entry.kind !== 'link') return [entry];
    const linkText = this.#linkTextOf(folder, entry.name);
    const now = linkText === NO_LINK ? this.look(folder, entry.name) : linkText && entry;
    return now ? [now] : [];
  }

  /**
   * As `entries`, while others get their turn. The folder may be closed after the call, since it is opened once more. An entry that comes or goes meanwhile may
   * be in the list or not.
   */
  async entriesInTurns({ disk, ...folder }: VisibleFolder): Promise<readonly ListedEntry[]> {
    const turns = new Turns();
    const read = disk.readEntries();
    const lists: ListedEntry[][] = [];
    try {
      for (let some = read.next(); some.length > 0; some = read.next()) {
        lists.push(this.visible.shownOf(folder, some).flatMap((entry) => this.#shownIn(folder.path, entry)));
        await turns.pause();
      }
    } finally {
      read.close();
    }
    return mergedInTurns(lists, (a, b) => a.name < b.name, turns);
  }

  /** As `#shownOf`; also empty if the folder is gone by now. */
  #shownIn(path: string, entry: ListedEntry): ListedEntry[] {
    if (entry.kind !== 'link') return [entry];
    try {
      return this.within(path, path, 'recent', (folder) => this.#shownOf(folder, entry));
    } catch (error) {
      if (error instanceof FsError || systemCodeOf(error) !== undefined) return [];
      throw error;
    }
  }

  /** The text with which a link is presented; undefined, after a report, if the link is not shown. */
  #linkTextOf(folder: VisibleFolder, name: string): string | typeof NO_LINK | undefined {
    const diskText = this.#diskTextOf(folder, name);
    if (typeof diskText !== 'string') return diskText;
    const target = targetOf(this.visible, folder.path, diskText, this.#givenRoot);
    switch (target.kind) {
      case 'outside':
        return this.#hide(
          folder,
          name,
          'link-outside',
          'this link leads outside the docs folder, so it is not shown',
        );
      case 'hidden':
        return this.#hide(
          folder,
          name,
          'link-to-hidden',
          'this link leads to what is not shown, so it is not shown either',
        );
      default:
        return presentedText(diskText, folder.path, name, target);
    }
  }

  /** The text for one entry of a listing: a link that fails must not make the whole listing fail. */
  #diskTextOf(folder: VisibleFolder, name: string): string | typeof NO_LINK | undefined {
    try {
      return folder.disk.linkTextOf(name);
    } catch (error) {
      const errno = systemCodeOf(error);
      if (errno === undefined) throw error;
      if (errno === 'EINVAL') return NO_LINK;
      return errno === 'ENOENT' ? undefined : this.#hide(folder, name, 'unreadable', diskReasonOf(error));
    }
  }

  #hide(folder: VisibleFolder, name: string, code: DocsProblemCode, message: string): undefined {
    this.visible.tell(pathIn(folder, name), code, message);
  }

  #walk<T>(names: readonly string[], asked: string, body: (folder: VisibleFolder) => T): T {
    let folder = this.visible.root();
    try {
      for (const name of names) {
        const child = this.visible.enter(folder, name);
        if (child === undefined) throw this.#refusalAsFolder(folder, name, asked);
        this.#kept.keep(folder);
        folder = child;
      }
      return body(folder);
    } finally {
      this.#kept.keep(folder);
    }
  }

  #refusalAsFolder(folder: VisibleFolder, name: string, asked: string): FsError {
    const entry = this.look(folder, name);
    return entry === undefined || entry.kind === 'directory'
      ? new FsError('ENOENT', asked, 'there is no such file in the docs folder')
      : new FsError('ENOTDIR', asked, `${pathIn(folder, name)} is not a folder`);
  }
}

/** The names of a path, which need not be normalised. @throws FsError ENOENT if the path is not a plain way down */
function namesOf(path: string, asked: string): string[] {
  if (path === '') return [];
  const names = path.split('/');
  if (!names.every(isEntryName)) {
    throw new FsError('ENOENT', asked, 'a path in the docs folder has only names in it');
  }
  return names;
}
