import { recover } from '../../core/awaitable.ts';
import { isFsError } from '../../core/errors.ts';
import { childOf, partsOf, type VfsPath } from '../../core/paths.ts';
import type { NodeInfo } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import type { BugReporter } from '../errno.ts';
import type { KernelNotices } from './kernel-notices.ts';
import { isStill, type Node, type NodeTable } from './node-table.ts';

/** After so long a row of comparisons requests get their turn. */
const TURN_MS = 4;

/**
 * Finds out what of all that the kernel knows is no longer so, where the tree says that paths changed, and tells it of that and nothing
 * else: a name that leads elsewhere, that is gone, or that is there now; attributes and pages of a live file; the listing of a folder.
 */
export class TreeChanges {
  readonly #vfs: Vfs;
  readonly #nodes: NodeTable;
  readonly #notices: KernelNotices;
  readonly #report: BugReporter;
  readonly #waiting = new Set<VfsPath>();
  #round: Promise<void> = Promise.resolve();
  #generation = 0;
  #turnMs = 0;

  constructor(vfs: Vfs, nodes: NodeTable, notices: KernelNotices, report: BugReporter) {
    this.#vfs = vfs;
    this.#nodes = nodes;
    this.#notices = notices;
    this.#report = report;
  }

  /** Grows with each change: what was asked before one may be answered after it. */
  get generation(): number {
    return this.#generation;
  }

  /** @returns when the kernel was told; never rejects */
  changed(paths: readonly VfsPath[]): Promise<void> {
    this.#generation += 1;
    for (const path of paths) this.#waiting.add(path);
    this.#round = this.#round.then(() => this.#compareAll());
    return this.#round;
  }

  async #compareAll(): Promise<void> {
    const paths = [...this.#waiting];
    this.#waiting.clear();
    this.#turnMs = performance.now();
    for (const path of paths) {
      try {
        await this.#comparePath(path);
      } catch (error) {
        this.#report(error, 'invalidate');
      }
    }
  }

  async #comparePath(path: VfsPath): Promise<void> {
    let node = this.#nodes.root;
    const names = partsOf(path);
    for (const [index, name] of names.entries()) {
      const child = node.children?.get(name);
      if (child === undefined) {
        await this.#compareUnknown(node, name, index === names.length - 1);
        return;
      }
      if (index === names.length - 1) await this.#compareFolder(node);
      node = child;
    }
    await this.#compareBelow(node);
  }

  /** A name that the kernel knows of as missing, or from a listing alone. */
  async #compareUnknown(folder: Node, name: string, isLast: boolean): Promise<void> {
    if (folder.missed?.has(name)) await this.#compareMissed(folder, name);
    if (isLast) await this.#compareFolder(folder, true);
  }

  async #compareBelow(node: Node): Promise<void> {
    if (!(await this.#compareNode(node))) return;
    for (const name of [...(node.missed ?? [])]) await this.#compareMissed(node, name);
    for (const [name, child] of [...(node.children ?? [])]) {
      // A name that is not the child's first was compared under that, but it may be gone alone.
      if (node.children?.get(name) === child) await this.#compareBelow(child);
    }
  }

  /** @returns whether it is still what it was */
  async #compareNode(node: Node): Promise<boolean> {
    await this.#giveTurn();
    const { place } = node;
    if (node === this.#nodes.root) {
      await this.#compareFolder(node);
      return true;
    }
    const path = this.#nodes.pathOf(node);
    if (place === undefined || path === undefined) return false;
    const { folder, name } = place;
    const now = await this.#look(path);
    if (node.place !== place) return false;
    if (now === undefined) {
      this.#nodes.removeName(folder, name);
      await this.#notices.nameGone(folder, node, name);
      await this.#notices.forgetNode(folder, 'attributes and pages');
      return false;
    }
    if (!isStill(node, now)) {
      await this.#notices.forgetName(folder, name);
      if (node.info.kind !== now.kind) await this.#notices.forgetNode(folder, 'attributes and pages');
      return false;
    }
    if (isShownAlike(node.info, now)) return true;
    const hasOtherBytes = now.version === undefined;
    node.info = now;
    await this.#notices.forgetNode(node, hasOtherBytes ? 'attributes and pages' : 'attributes');
    return true;
  }

  async #compareMissed(folder: Node, name: string): Promise<void> {
    await this.#giveTurn();
    const folderPath = this.#nodes.pathOf(folder);
    if (folderPath === undefined || (await this.#look(childOf(folderPath, name))) === undefined) return;
    if (folder.missed?.delete(name) && folder.missed.size === 0) folder.missed = undefined;
    await this.#notices.forgetName(folder, name);
  }

  /** @param hasOtherNames whether it is known that its listing changed */
  async #compareFolder(folder: Node, hasOtherNames = false): Promise<void> {
    const path = this.#nodes.pathOf(folder);
    const now = path === undefined ? undefined : await this.#look(path);
    if (now === undefined || !isStill(folder, now)) return;
    const isAlike = isShownAlike(folder.info, now);
    folder.info = now;
    if (hasOtherNames || !isAlike) await this.#notices.forgetNode(folder, 'attributes and pages');
  }

  /** @returns undefined where there is nothing; what cannot be looked at now the kernel is to ask for itself */
  async #look(path: VfsPath): Promise<NodeInfo | undefined> {
    return recover<NodeInfo, undefined>(
      () => this.#vfs.stat(path, {}),
      (error) => {
        if (isFsError(error)) return undefined;
        throw error;
      },
    );
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
