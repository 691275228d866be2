import { performance } from 'node:perf_hooks';
import type { ContentStatus } from '../system/file-status.ts';
import { isSettled } from './settled.ts';
import type { VisibleFolder, VisibleTree } from './visible-tree.ts';

const MAX_KEPT = 256;
/** How old rules may be for a name that was already there when they were read. A watcher may report a change of rules a moment later, too. */
const MAX_RULES_AGE_MS = 100;

/** Whether ignore files are looked at again, or count as they were at most 100 ms ago. */
export type RulesAge = 'new' | 'recent';

interface KeptFolder {
  readonly folder: VisibleFolder;
  readonly name: string;
  /** The folder above; undefined for the root. */
  readonly parent: KeptFolder | undefined;
  readonly inode: number;
  /** When its ignore files were looked at last, by `performance.now`. */
  rulesReadMs: number;
  /** Its `ctime` before all ignore files from the root down to it were looked at; undefined if it might change and keep the same `ctime`. */
  changedNs: bigint | undefined;
  /** Whether it was used since it was last spared from being dropped. */
  wasUsed: boolean;
  isOpen: boolean;
}

/**
 * Folders that stay open between two lookups, which saves the walk to them. Before a folder is used, each name on the way is looked at again: it has to be the
 * very folder that was walked through, so nothing is reached through a link, and none is followed to find out. An inode that is held open keeps its number, so
 * a folder that has taken the place of another is never mistaken for it.
 *
 * Ignore files are looked at again once the knowledge of them is 100 ms old, and at once if the folder has changed since. So a name that was made after a rule
 * against it is never shown.
 */
export class KeptFolders {
  readonly #visible: VisibleTree;
  readonly #kept = new Map<string, KeptFolder>();
  #root: KeptFolder;
  readonly #rootStatus: ContentStatus;

  /** @throws the disk's own errors, as do all methods here */
  constructor(visible: VisibleTree) {
    this.#visible = visible;
    const root = visible.root();
    this.#rootStatus = root.disk.status();
    this.#root = keptFolder(root, '', undefined, this.#rootStatus);
  }

  /** The folder at a path, as a walk would find it; undefined if only a walk can tell. It is valid until the next call of a method. */
  find(path: string, rules: RulesAge): VisibleFolder | undefined {
    const kept = path === '' ? this.#root : this.#kept.get(path);
    if (kept === undefined) return undefined;
    const nowMs = performance.now();
    if (rules === 'new') return this.#goTo(kept, nowMs) && kept.folder;
    const before = this.#goTo(kept, nowMs - MAX_RULES_AGE_MS);
    if (before === undefined || before.changedNs === kept.changedNs) return before && kept.folder;
    if (this.#goTo(kept, performance.now()) === undefined) return undefined;
    kept.changedNs = isSettled(before.changedNs) ? before.changedNs : undefined;
    return kept.folder;
  }

  /**
   * The folder that was at a path when it was last looked at, if all ignore files on the way were looked at no more than 100 ms ago. Nobody checks whether it
   * is still there.
   */
  latest(path: string): VisibleFolder | undefined {
    const kept = path === '' ? this.#root : this.#kept.get(path);
    const rulesDueMs = performance.now() - MAX_RULES_AGE_MS;
    for (let at = kept; at !== undefined; at = at.parent) {
      if (!at.isOpen || at.rulesReadMs < rulesDueMs) return undefined;
    }
    return kept?.folder;
  }

  /**
   * Takes over a folder that a walk has found, and closes it at any later time. The folders above it must be kept first. A folder that is a mount inside the
   * docs is closed at once, since an open one could not be unmounted.
   */
  keep(folder: VisibleFolder): void {
    const { path, disk } = folder;
    if (path === '') return;
    const slash = path.lastIndexOf('/');
    const parent = slash === -1 ? this.#root : this.#kept.get(path.slice(0, slash));
    const status = disk.status();
    const known = this.#kept.get(path);
    const isKnown =
      known?.parent === parent && known?.inode === status.inode && known.folder.rules === folder.rules;
    if (known !== undefined && isKnown) known.wasUsed = true;
    if (isKnown || parent === undefined || !this.#isOfRoot(status)) {
      this.#visible.leave(folder);
      return;
    }
    if (known !== undefined) this.#drop(known);
    if (this.#kept.size >= MAX_KEPT) this.#dropOldest();
    this.#kept.set(path, keptFolder(folder, path.slice(slash + 1), parent, status));
  }

  /** Closes all folders. A later walk opens them again. @returns whether there were any */
  free(): boolean {
    const hadSome = this.#kept.size > 0;
    for (const kept of this.#kept.values()) this.#drop(kept);
    return hadSome;
  }

  /**
   * Checks that the way to a folder is unchanged, and looks again at all ignore files on it that were last looked at before `rulesDueMs`. If the way or the
   * rules have changed, the folder is dropped.
   * @returns the folder's status before that; undefined if it was dropped
   */
  #goTo(kept: KeptFolder, rulesDueMs: number, isEnd = true): ContentStatus | undefined {
    const status = kept.isOpen ? this.#look(kept, rulesDueMs, isEnd) : undefined;
    if (status?.inode === kept.inode && this.#isOfRoot(status)) {
      kept.wasUsed = true;
      if (kept.rulesReadMs >= rulesDueMs || this.#hasSameRules(kept)) return status;
    }
    this.#drop(kept);
    return undefined;
  }

  #isOfRoot({ disk, mount }: ContentStatus): boolean {
    return disk === this.#rootStatus.disk && mount === this.#rootStatus.mount;
  }

  #look({ parent, name, folder }: KeptFolder, rulesDueMs: number, isEnd: boolean): ContentStatus | undefined {
    // The root is held by its descriptor; it has no name that could come to lead elsewhere.
    if (parent === undefined) return isEnd ? folder.disk.status() : this.#rootStatus;
    if (this.#goTo(parent, rulesDueMs, false) === undefined) return undefined;
    return parent.folder.disk.statusOf(name);
  }

  #hasSameRules(kept: KeptFolder): boolean {
    const { folder, parent } = kept;
    kept.rulesReadMs = performance.now();
    return this.#visible.rulesOf(folder.disk, folder.path, parent?.folder.rules) === folder.rules;
  }

  /** Drops about the least recently used folder: each folder that was used since the last time is spared once. */
  #dropOldest(): void {
    for (const [path, kept] of this.#kept) {
      if (!kept.wasUsed) {
        this.#drop(kept);
        return;
      }
      kept.wasUsed = false;
      this.#kept.delete(path);
      this.#kept.set(path, kept);
    }
  }

  /** Drops a folder. Those inside it are dropped when they are next asked for. */
  #drop(kept: KeptFolder): void {
    if (!kept.isOpen) return;
    kept.isOpen = false;
    if (kept === this.#root) this.#root = keptFolder(this.#visible.root(), '', undefined, this.#rootStatus);
    else this.#kept.delete(kept.folder.path);
    this.#visible.leave(kept.folder);
  }
}

function keptFolder(
  folder: VisibleFolder,
  name: string,
  parent: KeptFolder | undefined,
  { inode }: ContentStatus,
): KeptFolder {
  return {
    folder,
    name,
    parent,
    inode,
    rulesReadMs: Number.NEGATIVE_INFINITY,
    changedNs: undefined,
    wasUsed: true,
    isOpen: true,
  };
}
