import { ROOT, type VfsPath } from '../../core/paths.ts';

/** What the kernel was told of one file. */
interface Told {
  readonly sizeBytes: number;
  readonly generation: number;
}

const MAX_TOLD = 200_000;
const MAX_CHANGES = 1000;
const MAX_TOP_NAMES = 10_000;
const MAX_SENT_BACK = 1000;
/** A caller that was sent back is here again by then, however busy the machine. */
const RETRY_WITHIN_MS = 500;

/**
 * What the kernel may believe of the tree, from what it was told and what changed since. With it an open can be compared with the size that
 * the kernel will read up to, and with changes that the kernel may have missed.
 */
export class KernelView {
  /** Grows with each change; a request notes it before it asks the tree. */
  generation = 0;
  readonly #told = new Map<VfsPath, Told>();
  readonly #changedAt = new Map<string, number>();
  readonly #lookedUpAt = new Map<string, number>();
  readonly #sentBackAt = new Map<VfsPath, number>();
  readonly #nowMs: () => number;

  /** @param nowMs a clock that only goes forward */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** @param generation of before the tree was asked, so that a change meanwhile counts as missed */
  tell(path: VfsPath, sizeBytes: number, generation: number): void {
    if (this.#told.size >= MAX_TOLD) this.#told.clear();
    this.#told.set(path, { sizeBytes, generation });
  }

  /** Notes that the kernel looks a path up, whether or not there is something. */
  lookUp(path: VfsPath): void {
    const name = topNameOf(path);
    if (this.#lookedUpAt.size < MAX_TOP_NAMES || this.#lookedUpAt.has(name)) {
      this.#lookedUpAt.set(name, this.#nowMs());
    }
  }

  /** When the kernel last looked up a name of the root or something below it. */
  lastLookUpMs(name: string): number {
    return this.#lookedUpAt.get(name) ?? Number.NEGATIVE_INFINITY;
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
   * does not know the size, or a change since. The kernel comes back once, and a second ESTALE would reach the caller; as nothing tells
   * one caller from another, a path is left alone for a while.
   */
  sendsBack(path: VfsPath, sizeBytes: number): boolean {
    if (!this.isStale(path, sizeBytes)) return false;
    const nowMs = this.#nowMs();
    if (nowMs - (this.#sentBackAt.get(path) ?? Number.NEGATIVE_INFINITY) < RETRY_WITHIN_MS) return false;
    if (this.#sentBackAt.size >= MAX_SENT_BACK) this.#sentBackAt.clear();
    this.#sentBackAt.set(path, nowMs);
    return true;
  }

  /** The names below the root that hold these paths: all that the kernel ever asked for where the root itself changed. */
  topNamesOf(paths: readonly VfsPath[]): Set<string> {
    return new Set(paths.includes(ROOT) ? this.#lookedUpAt.keys() : paths.map(topNameOf));
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

/** The name below the root that a path leads through; empty for the root. */
function topNameOf(path: VfsPath): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}
