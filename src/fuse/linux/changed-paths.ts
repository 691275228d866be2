import { parentOf, type VfsPath } from '../../core/paths.ts';

/** Paths in one folder. */
interface Some {
  readonly folder: VfsPath;
  readonly paths: Set<VfsPath>;
}

/** Paths that wait to be compared with what the kernel knows, each of them once. Their folders are queued and take turns. */
export class ChangedPaths {
  readonly #byFolder = new Map<VfsPath, Set<VfsPath>>();

  add(paths: readonly VfsPath[]): void {
    for (const path of paths) {
      const folder = parentOf(path);
      const known = this.#byFolder.get(folder);
      if (known === undefined) this.#byFolder.set(folder, new Set([path]));
      else known.add(path);
    }
  }

  all(): VfsPath[] {
    return [...this.#byFolder.values()].flatMap((paths) => [...paths]);
  }

  /** Takes the paths of the folder whose turn it is, in the order in which they came. */
  take(): Some | undefined {
    for (const [folder, paths] of this.#byFolder) {
      this.#byFolder.delete(folder);
      return { folder, paths };
    }
    return undefined;
  }

  /** Puts what is left of a turn at the end of the queue, before paths that came in that folder meanwhile. */
  putBack({ folder, paths }: Some): void {
    if (paths.size === 0) return;
    const since = this.#byFolder.get(folder) ?? [];
    this.#byFolder.delete(folder);
    this.#byFolder.set(folder, new Set([...paths, ...since]));
  }
}
