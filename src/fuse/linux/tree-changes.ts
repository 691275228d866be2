import { performance } from 'node:perf_hooks';
import { childOf, partsOf, type VfsPath } from '../../core/paths.ts';
import type { NodeInfo } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import { type BugReporter, unfailing } from '../errno.ts';
import { ChangedPaths } from './changed-paths.ts';
import type { KernelNotices } from './kernel-notices.ts';
import { isListedAlike } from './listing.ts';
import { hasSameBytes, tellable } from './live-bytes.ts';
import { isStill, type Node, type NodeTable } from './node-table.ts';
import { orNothing } from './served.ts';

/** After comparing for this long, requests get their turn. */
const TURN_MS = 4;
/**
 * After comparing in one folder for this long, other folders get their turn. So when thousands of names have changed in one folder, changes elsewhere are not
 * told much later.
 */
const FOLDER_TURN_MS = 50;
const ANY_NAME = 'any';

/**
 * Finds out what the kernel knows that is no longer true, after the tree says that paths have changed, and tells the kernel exactly that: a name that leads
 * elsewhere, is gone, or exists now; attributes and pages of a live file; the listing of a folder.
 */
export class TreeChanges {
  readonly #vfs: Vfs;
  readonly #nodes: NodeTable;
  readonly #notices: KernelNotices;
  readonly #report: BugReporter;
  readonly #waiting = new ChangedPaths();
  /** Folders that were compared in this turn. Everything that the turn is about had happened when it began. */
  readonly #compared = new Set<Node>();
  /** Folders whose names were compared in this turn. */
  readonly #listed = new Set<Node>();
  /** Folders that the kernel was told to list again in this turn. */
  readonly #invalidated = new Set<Node>();
  #round: Promise<void> = Promise.resolve();
  /** The round that has not begun yet. */
  #next: Promise<void> | undefined;
  #generation = 0;
  #turnMs = 0;

  constructor(vfs: Vfs, nodes: NodeTable, notices: KernelNotices, report: BugReporter) {
    this.#vfs = vfs;
    this.#nodes = nodes;
    this.#notices = notices;
    this.#report = unfailing(report);
  }

  /** Grows with each change. A question that was asked before a change may be answered after it. */
  get generation(): number {
    return this.#generation;
  }

  /** @returns a promise that resolves when the kernel was told; never rejects */
  changed(paths: readonly VfsPath[]): Promise<void> {
    this.#generation += 1;
    this.#waiting.add(paths);
    this.#next ??= this.#begin();
    return this.#next.then(() => this.#notices.held());
  }

  #begin(): Promise<void> {
    this.#round = this.#round.then(() => {
      this.#next = undefined;
      return this.#compareAll();
    });
    return this.#round;
  }

  /** Ends when everything that waits now is compared. Paths that come meanwhile may have had their turn, too. */
  async #compareAll(): Promise<void> {
    const due = new Set(this.#waiting.all());
    this.#turnMs = performance.now();
    while (due.size > 0) {
      const some = this.#waiting.take();
      if (some === undefined) return;
      await this.#compareSome(some.paths, due);
      this.#waiting.putBack(some);
    }
  }

  /** @param paths paths in one folder. Those that are compared are removed, also from `due` */
  async #compareSome(paths: Set<VfsPath>, due: Set<VfsPath>): Promise<void> {
    for (const seen of [this.#compared, this.#listed, this.#invalidated]) seen.clear();
    const startMs = performance.now();
    for (const path of paths) {
      paths.delete(path);
      due.delete(path);
      try {
        await this.#comparePath(path);
      } catch (error) {
        this.#report(error, 'invalidate');
      }
      if (performance.now() - startMs >= FOLDER_TURN_MS) return;
    }
  }

  async #comparePath(path: VfsPath): Promise<void> {
    let node = this.#nodes.root;
    const names = partsOf(path);
    for (const [index, name] of names.entries()) {
      const child = node.children?.get(name);
      const isLast = index === names.length - 1;
      if (child === undefined) {
        await this.#compareUnknown(node, name);
        return;
      }
      if (isLast) {
        await this.#compareBelow(node, name, child, { isNamed: true });
        await this.#compareFolder(node);
        return;
      }
      node = child;
    }
    await this.#compareFolder(node);
    await this.#compareInside(node);
  }

  /** Compares a name that the kernel knows to be missing, or knows only from a listing. */
  async #compareUnknown(folder: Node, name: string): Promise<void> {
    if (folder.missed?.has(name)) await this.#compareMissed(folder, name);
    await this.#compareFolder(folder);
  }

  /** @param isNamed whether the tree has named this very path */
  async #compareBelow(
    folder: Node,
    name: string,
    node: Node,
    { isNamed } = { isNamed: false },
  ): Promise<void> {
    if (await this.#compareNode(folder, name, node, isNamed)) await this.#compareInside(node);
  }

  async #compareInside(folder: Node): Promise<void> {
    for (const name of [...(folder.missed ?? [])]) await this.#compareMissed(folder, name);
    for (const [name, child] of [...(folder.children ?? [])]) await this.#compareBelow(folder, name, child);
  }

  /** Compares one name of a node, which may have others that stay when this one goes. @returns whether it is still the same */
  async #compareNode(folder: Node, name: string, node: Node, isNamed: boolean): Promise<boolean> {
    // The kernel asks for it each time.
    if (node.info.changesUntold === true) return false;
    await this.#giveTurn();
    const folderPath = this.#nodes.pathOf(folder);
    const now = folderPath === undefined ? undefined : await this.#look(childOf(folderPath, name));
    // It may have gone or moved meanwhile.
    if (folderPath === undefined || folder.children?.get(name) !== node) return false;
    if (now === undefined) {
      this.#nodes.removeName(folder, name);
      await this.#tellGone(folder, name, node);
      await this.#invalidateFolder(folder);
      return false;
    }
    if (!isStill(node, now)) {
      await this.#notices.invalidateName(folder, name);
      if (node.info.kind !== now.kind) await this.#invalidateFolder(folder);
      return false;
    }
    await this.#compareSame(node, now, isNamed);
    return true;
  }

  /** Compares what a node that is still there shows with what the kernel knows. */
  async #compareSame(node: Node, now: NodeInfo, isNamed: boolean): Promise<void> {
    // The kernel may have got the attributes of a live file from another request, and keeps the file's old bytes all the same.
    const isLive = now.kind === 'file' && now.version === undefined;
    const hasOtherBytes = isLive && (isNamed || !hasSameBytes(node.bytesAsOf, now));
    if (isShownAlike(node.info, now) && !hasOtherBytes) {
      if (isNamed || !this.#timeTells(node, now)) await this.#compareListing(node);
      return;
    }
    node.info = tellable(node, now);
    if (hasOtherBytes) await this.#notices.invalidateBytes(node, now);
    else
      await this.#notices.invalidateNode(node, now.kind === 'file' ? 'attributes' : 'attributes and pages');
  }

  /**
   * Tells the kernel that a name is gone. A node that is reported as gone is dead for the kernel, which would be wrong if it has other names, or may appear
   * under another one.
   */
  async #tellGone(folder: Node, name: string, node: Node): Promise<void> {
    const mayMove = node.info.kind === 'directory' && node.info.inode !== undefined;
    if (node.place === undefined && !mayMove) {
      await this.#notices.nameGone(folder, node, name);
      return;
    }
    await this.#notices.invalidateName(folder, name);
    await this.#notices.invalidateNode(node, 'attributes');
  }

  async #compareMissed(folder: Node, name: string): Promise<void> {
    await this.#giveTurn();
    const folderPath = this.#nodes.pathOf(folder);
    if (folderPath === undefined || (await this.#look(childOf(folderPath, name))) === undefined) return;
    this.#nodes.forgetMissed(folder, name);
    await this.#notices.invalidateName(folder, name);
  }

  /** Compares a folder in which something has changed: once in a turn for all changes in it. */
  async #compareFolder(folder: Node): Promise<void> {
    if (this.#compared.has(folder)) return;
    this.#compared.add(folder);
    await this.#giveTurn();
    const path = this.#nodes.pathOf(folder);
    const now = path === undefined ? undefined : await this.#look(path);
    if (now === undefined || !isStill(folder, now)) return;
    const isAlike = isShownAlike(folder.info, now);
    folder.info = now;
    if (isAlike) await this.#compareListing(folder);
    else await this.#invalidateFolder(folder);
  }

  /** Makes the kernel list a folder again. Once in a turn is enough, since the kernel lists it after everything that the turn is about. */
  async #invalidateFolder(folder: Node): Promise<void> {
    if (this.#invalidated.has(folder)) return;
    this.#invalidated.add(folder);
    await this.#notices.invalidateNode(folder, 'attributes and pages');
  }

  /**
   * Whether a listing only changes together with the time of its folder. This is not so on a disk: many disks have the same time for everything within some
   * milliseconds, programs set times back, and which files are hidden depends on files elsewhere.
   */
  #timeTells(node: Node, { kind }: NodeInfo): boolean {
    if (kind !== 'directory') return true;
    const path = this.#nodes.pathOf(node);
    return path === undefined || this.#vfs.tellsOfNew(childOf(path, ANY_NAME));
  }

  /** Compares the names of a folder whose time is the one that the kernel knows. */
  async #compareListing(folder: Node): Promise<void> {
    const path = this.#nodes.pathOf(folder);
    if (path === undefined || folder.listed === undefined || this.#listed.has(folder)) return;
    this.#listed.add(folder);
    await this.#giveTurn();
    const entries = await orNothing(() => this.#vfs.list(path, {}));
    if (entries !== undefined && !isListedAlike(folder, entries))
      await this.#notices.invalidateListing(folder);
  }

  /** @returns undefined if there is nothing, and for what cannot be looked at now, which the kernel then asks for itself */
  async #look(path: VfsPath): Promise<NodeInfo | undefined> {
    return orNothing(() => this.#vfs.find(path, {}));
  }

  async #giveTurn(): Promise<void> {
    if (performance.now() - this.#turnMs < TURN_MS) return;
    await new Promise(setImmediate);
    this.#turnMs = performance.now();
  }
}

/** Whether stat(2) shows the same. */
function isShownAlike(before: NodeInfo, now: NodeInfo): boolean {
  return (
    before.sizeBytes === now.sizeBytes &&
    before.modifiedNs === now.modifiedNs &&
    before.mode === now.mode &&
    before.disk?.links === now.disk?.links
  );
}
