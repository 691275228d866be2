import { below, childOf, type SubPath, type VfsPath } from '../core/paths.ts';
import type { Resolver } from '../core/resolver.ts';

/** A resolver and where it is mounted. */
export interface Mount {
  readonly point: VfsPath;
  readonly resolver: Resolver;
}

/** A path as the resolver that serves it sees it. */
export interface Route extends Mount {
  readonly subPath: SubPath;
}

/** Which resolver serves which path: the mount with the longest point that holds the path. */
export class MountTable {
  readonly #mounts: readonly Mount[];

  /** @throws Error where two resolvers claim one point, or none serves the root */
  constructor(mounts: readonly Mount[]) {
    this.#mounts = [...mounts].sort(
      (a, b) => b.point.length - a.point.length || (a.point < b.point ? -1 : 1),
    );
    const points = new Set(mounts.map(({ point }) => point));
    if (points.size < mounts.length) throw new Error('two resolvers are mounted at one point');
    if (this.#mounts.at(-1)?.point !== '/') throw new Error('no resolver is mounted at /');
  }

  /** By point. */
  mounts(): readonly Mount[] {
    return this.#mounts.toSorted((a, b) => (a.point < b.point ? -1 : 1));
  }

  route(path: VfsPath): Route {
    for (const { point, resolver } of this.#mounts) {
      const subPath = below(path, point);
      if (subPath !== undefined) return { point, resolver, subPath };
    }
    throw new Error(`no mount holds ${path}`);
  }

  /** Names in a folder that are mount points, which its own resolver need not know of. */
  pointsIn(folder: VfsPath): string[] {
    return this.#mounts.flatMap(({ point }) => {
      const name = point.slice(point.lastIndexOf('/') + 1);
      return name !== '' && childOf(folder, name) === point ? [name] : [];
    });
  }
}
