import { below, joinPath, parentOf, ROOT, type VfsPath } from '../../core/paths.ts';
import { TRUST_SECONDS } from './options.ts';

/** What the kernel was told of one file. */
interface Told {
  readonly sizeBytes: number;
  readonly generation: number;
}

/** A caller that was sent back to look a path up again. */
interface SentBack {
  /** What the kernel had been told of the file by then. It is told anew before the caller is back. */
  readonly told: Told | undefined;
  /** Whether others opened the file before the caller was back. */
  readonly amongOthers: boolean;
  readonly expectedUntilMs: number;
}

/** The most paths that are kept of each kind. A full table is emptied, and its content then counts as changed, or as known to the kernel. */
const MAX_TOLD = 200_000;
const MAX_CHANGES = 1000;
const MAX_TOP_NAMES = 10_000;
const MAX_KNOWN = 200_000;
const MAX_MISSED = 10_000;
const MAX_LINKED = 50_000;
const MAX_MOVED = 1000;
/** After this time the kernel has entered an answer, even if dozens of processes share a core. */
export const ENTERED_WITHIN_MS = 500;
const MAX_SENT_BACK = 1000;
/** Longer than the kernel trusts anything (options.ts). */
const TRUST_MS = (TRUST_SECONDS + 1) * 1000;
/** By then a caller that was sent back is here again, however busy the machine. */
const RETRY_WITHIN_MS = 500;
/** The same if others open the file meanwhile: what they find says nothing about that caller, but shows that the kernel has looked. */
const LATER_RETRY_WITHIN_MS = 50;

/**
 * What the kernel may believe of the tree, from what it was told and from what changed since. With this, an open can be compared with the size up to which the
 * kernel will read, and with changes that the kernel may have missed.
 */
export class KernelView {
  /** Grows with each change. A request notes it before it asks the tree. */
  generation = 0;
  readonly #told = new Map<VfsPath, Told>();
  readonly #changedAt = new Map<string, number>();
  readonly #lookedUpAt = new Map<string, number>();
  readonly #sentBack = new Map<VfsPath, SentBack>();
  /** When the kernel last looked up a path or something below it. */
  readonly #knownAt = new Map<VfsPath, number>();
  /** Paths that did not exist. The kernel has never looked below one, and yet takes everything there for missing. */
  readonly #missed = new Set<VfsPath>();
  /** When a folder was renamed to this path. The kernel may know its content by names that were not noted. */
  readonly #movedAt = new Map<VfsPath, number>();
  /** Until this time, the kernel may know paths that are not noted, since there were too many. */
  #knowsAnyUntilMs = Number.NEGATIVE_INFINITY;
  /** Files that the kernel was told have other names, too. Once this is full it stays as it is, and any file may have other names. */
  readonly #linked = new Set<VfsPath>();
  readonly #nowMs: () => number;

  /** @param nowMs a clock that only goes forward */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /**
   * Notes what the kernel is told of a file.
   * @param generation the generation before the tree was asked, so that a change meanwhile counts as missed
   * @param links how many names the file has; undefined if that is not known to have changed
   */
  tell(path: VfsPath, sizeBytes: number, generation: number, links?: number): void {
    if (this.#told.size >= MAX_TOLD) this.#told.clear();
    this.#told.set(path, { sizeBytes, generation });
    if (links === undefined || this.#anyIsLinked()) return;
    if (links > 1) this.#linked.add(path);
    else if (this.#linked.size > 0) this.#linked.delete(path);
  }

  /** The size of the file that the kernel was last told of. */
  toldSizeBytes(path: VfsPath): number | undefined {
    return this.#told.get(path)?.sizeBytes;
  }

  /** Notes that a file has another name, too. */
  link(path: VfsPath): void {
    if (!this.#anyIsLinked()) this.#linked.add(path);
  }

  /** Whether the kernel may know the file at this path by another name, too. */
  hasOtherNames(path: VfsPath): boolean {
    return this.#linked.size > 0 && (this.#anyIsLinked() || this.#linked.has(path));
  }

  #anyIsLinked(): boolean {
    return this.#linked.size >= MAX_LINKED;
  }

  /** Notes that a name, with everything below it, was renamed. The kernel keeps what it knows, under the new name. */
  move(from: VfsPath, to: VfsPath): void {
    const told = this.#told.get(from);
    this.#told.delete(from);
    this.#told.delete(to);
    this.#see(to);
    if (!told) {
      this.#moveFolder(from, to);
      return;
    }
    this.#moveLink(from, to);
    if (this.#isChangedSince(from, told)) this.change([to]);
    else this.#told.set(to, { ...told, generation: this.generation });
  }

  /** Notes the move of a folder. The kernel knows the files in it by names that were not noted. */
  #moveFolder(from: VfsPath, to: VfsPath): void {
    for (const path of [...this.#linked]) {
      const rest = below(path, from);
      if (rest !== undefined) this.#moveLink(path, joinPath(to, rest));
    }
    this.change([to]);
    this.#forgetOldMoves();
    this.#movedAt.set(to, this.#nowMs());
  }

  #forgetOldMoves(): void {
    if (this.#movedAt.size < MAX_MOVED) return;
    this.#movedAt.clear();
    this.#knowsAnyUntilMs = this.#nowMs() + TRUST_MS;
  }

  #moveLink(from: VfsPath, to: VfsPath): void {
    if (this.#anyIsLinked()) return;
    if (this.#linked.delete(from)) this.#linked.add(to);
    else this.#linked.delete(to);
  }

  /** Notes that the kernel looks a path up, whether or not there is something. */
  lookUp(path: VfsPath): void {
    const name = topNameOf(path);
    const nowMs = this.#nowMs();
    if (this.#lookedUpAt.size < MAX_TOP_NAMES || this.#lookedUpAt.has(name)) {
      this.#lookedUpAt.set(name, nowMs);
    }
    this.#see(path);
  }

  #see(path: VfsPath): void {
    const nowMs = this.#nowMs();
    if (this.#knownAt.size > MAX_KNOWN) {
      this.#knownAt.clear();
      this.#knowsAnyUntilMs = nowMs + TRUST_MS;
    }
    for (let known = path; known !== ROOT; known = parentOf(known)) this.#knownAt.set(known, nowMs);
    if (this.#missed.size > 0) this.#missed.delete(path);
  }

  /**
   * Whether the kernel may hold anything of this path or of what lies below it: that it exists, that it does not exist, or its attributes. The kernel need not
   * be told of a path of which it holds nothing.
   */
  mayKnow(path: VfsPath): boolean {
    const nowMs = this.#nowMs();
    if (nowMs < this.#knowsAnyUntilMs) return true;
    if (nowMs - (this.#knownAt.get(path) ?? Number.NEGATIVE_INFINITY) < TRUST_MS) return true;
    if (this.#missed.size === 0 && this.#movedAt.size === 0) return false;
    return ancestorsOf(path).some((folder) => this.#missed.has(folder) || this.#wasMoved(folder, nowMs));
  }

  #wasMoved(folder: VfsPath, nowMs: number): boolean {
    const movedMs = this.#movedAt.get(folder);
    if (movedMs === undefined || nowMs - movedMs < TRUST_MS) return movedMs !== undefined;
    this.#movedAt.delete(folder);
    return false;
  }

  /** Notes that the kernel was told that there is nothing with this name. */
  miss(path: VfsPath): void {
    if (this.#missed.size >= MAX_MISSED) {
      this.#missed.clear();
      this.#knowsAnyUntilMs = this.#nowMs() + TRUST_MS;
    }
    this.#missed.add(path);
  }

  /** Notes that the kernel was told to drop these paths. An answer that is still on its way may arrive after that. */
  dropped(paths: readonly VfsPath[]): void {
    const onTheWaySinceMs = this.#nowMs() - ENTERED_WITHIN_MS;
    for (const path of paths) {
      if ((this.#knownAt.get(path) ?? onTheWaySinceMs) < onTheWaySinceMs) this.#knownAt.delete(path);
    }
  }

  /** When the kernel last looked up a name of the root, or something below it. */
  lastLookUpMs(name: string): number {
    return this.#lookedUpAt.get(name) ?? Number.NEGATIVE_INFINITY;
  }

  /** Notes that these paths, and everything below them, changed. */
  change(paths: readonly VfsPath[]): void {
    this.generation += 1;
    for (const path of paths) this.#changedAt.set(path, this.generation);
    if (this.#changedAt.size <= MAX_CHANGES) return;
    this.#changedAt.clear();
    this.#changedAt.set(ROOT, this.generation);
  }

  /**
   * Whether an open of this version should make the kernel look the path up again (by ESTALE, which open(2) follows by itself), because the kernel does not
   * know the size, or a change since. The kernel tries again only once, and a second ESTALE would reach the caller. Since nothing tells one caller from
   * another, a path is left alone until the caller that was sent back seems to have returned.
   * @param sizeBytes undefined before the file is opened, when only changes can tell
   */
  sendsBack(path: VfsPath, sizeBytes?: number): boolean {
    const nowMs = this.#nowMs();
    const before = this.#sentBack.get(path);
    if (before && nowMs < before.expectedUntilMs) {
      // Before the file is opened, its size may still change.
      if (sizeBytes !== undefined) this.#arrive(path, before, nowMs);
      return false;
    }
    if (!this.isStale(path, sizeBytes)) return false;
    this.sentBack(path);
    return true;
  }

  /** Notes that a caller is made to look a path up again. */
  sentBack(path: VfsPath): void {
    if (this.#sentBack.size >= MAX_SENT_BACK) this.#sentBack.clear();
    const told = this.#told.get(path);
    const expectedUntilMs = this.#nowMs() + RETRY_WITHIN_MS;
    this.#sentBack.set(path, { told, amongOthers: false, expectedUntilMs });
  }

  /** Notes an open of a path that a caller was sent back to. It is taken for that caller's if the kernel was told of the file since. */
  #arrive(path: VfsPath, before: SentBack, nowMs: number): void {
    if (this.#told.get(path) === before.told) this.#sentBack.set(path, { ...before, amongOthers: true });
    else if (!before.amongOthers) this.#sentBack.delete(path);
    else {
      const expectedUntilMs = Math.min(before.expectedUntilMs, nowMs + LATER_RETRY_WITHIN_MS);
      this.#sentBack.set(path, { ...before, expectedUntilMs });
    }
  }

  /** The names below the root that contain these paths. If the root itself changed, all names that the kernel has ever asked for. */
  topNamesOf(paths: readonly VfsPath[]): Set<string> {
    return new Set(paths.includes(ROOT) ? this.#lookedUpAt.keys() : paths.map(topNameOf));
  }

  isStale(path: VfsPath, sizeBytes?: number): boolean {
    const told = this.#told.get(path);
    if (!told || this.#isChangedSince(path, told)) return true;
    return sizeBytes !== undefined && told.sizeBytes !== sizeBytes;
  }

  #isChangedSince(path: VfsPath, { generation }: Told): boolean {
    return generation !== this.generation && this.#lastChangeOf(path) > generation;
  }

  #lastChangeOf(path: VfsPath): number {
    let latest = this.#changedAt.get(ROOT) ?? 0;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      latest = Math.max(latest, this.#changedAt.get(path.slice(0, end)) ?? 0);
    }
    return latest;
  }
}

/** The folders above a path, from the nearest one up. */
function ancestorsOf(path: VfsPath): VfsPath[] {
  const folders: VfsPath[] = [];
  for (let folder = parentOf(path); folder !== ROOT; folder = parentOf(folder)) folders.push(folder);
  return folders;
}

/** The first name of a path below the root; empty for the root. */
export function topNameOf(path: VfsPath): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}
