import { ROOT, type VfsPath } from '../../core/paths.ts';

/** What the kernel was told of one file. */
interface Told {
  readonly sizeBytes: number;
  readonly generation: number;
}

const MAX_TOLD = 200_000;
const MAX_CHANGES = 1000;
const MAX_TOP_NAMES = 10_000;

/**
 * What the kernel may believe of the tree, from what it was told and what changed since. With it an open can be compared with the size that
 * the kernel will read up to, and with changes that the kernel may have missed.
 */
export class KernelView {
  /** Grows with each change; a request notes it before it asks the tree. */
  generation = 0;
  readonly #told = new Map<VfsPath, Told>();
  readonly #changedAt = new Map<string, number>();
  readonly #topNames = new Set<string>();
  readonly #sentBack = new Set<VfsPath>();

  /** @param generation of before the tree was asked, so that a change meanwhile counts as missed */
  tell(path: VfsPath, sizeBytes: number, generation: number): void {
    if (this.#told.size >= MAX_TOLD) this.#told.clear();
    this.#told.set(path, { sizeBytes, generation });
  }

  /** Notes a name that the kernel asked for, whether or not it is there. */
  noteTopName(path: VfsPath): void {
    if (path.indexOf('/', 1) === -1 && this.#topNames.size < MAX_TOP_NAMES) this.#topNames.add(path.slice(1));
  }

  /** Notes that these paths, and all below them, changed. */
  change(paths: readonly VfsPath[]): void {
    this.generation += 1;
    for (const path of paths) this.#changedAt.set(path, this.generation);
    if (this.#changedAt.size <= MAX_CHANGES) return;
    this.#changedAt.clear();
    this.#changedAt.set(ROOT, this.generation);
  }

  /**
   * Whether an open of this version should send the kernel back to look the path up anew (ESTALE, which open(2) follows by itself): it
   * does not know the size, or a change since. Never twice in a row for one path, as the second would reach the caller.
   */
  sendsBack(path: VfsPath, sizeBytes: number): boolean {
    if (!this.isStale(path, sizeBytes) || this.#sentBack.has(path)) {
      this.#sentBack.delete(path);
      return false;
    }
    this.#sentBack.add(path);
    return true;
  }

  /** The names below the root that hold these paths: all that the kernel ever asked for where the root itself changed. */
  topNamesOf(paths: readonly VfsPath[]): Set<string> {
    if (paths.includes(ROOT)) return new Set(this.#topNames);
    return new Set(paths.map((path) => path.slice(1).split('/', 1)[0] ?? ''));
  }

  isStale(path: VfsPath, sizeBytes: number): boolean {
    const told = this.#told.get(path);
    if (!told || told.sizeBytes !== sizeBytes) return true;
    return told.generation !== this.generation && this.#lastChangeOf(path) > told.generation;
  }

  #lastChangeOf(path: VfsPath): number {
    let latest = this.#changedAt.get(ROOT) ?? 0;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      latest = Math.max(latest, this.#changedAt.get(path.slice(0, end)) ?? 0);
    }
    return latest;
  }
}
