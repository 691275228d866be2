import { baseName, below, childOf, type SubPath, type VfsPath } from '../core/paths.ts';
import type { Resolver } from '../core/resolver.ts';

/** A resolver and where it is mounted. */
export interface Mount {
  readonly point: VfsPath;
  readonly resolver: Resolver;
}

/** A mount, and a path as its resolver sees it. */
export interface Route extends Mount {
  readonly subPath: SubPath;
}

/** Finds the resolver that serves a path: the one with the longest mount point above it. */
export class MountTable {
  readonly #mounts: readonly Mount[];
  /** Mounts with no other mount inside them. */
  readonly #innermost: ReadonlySet<Mount>;
  /** The mount of the previous path, if it is an innermost one: most paths lie in the same mount as the one before. */
  #latest: Mount | undefined;

  /** @throws Error if two resolvers claim one point, or none serves the root */
  constructor(mounts: readonly Mount[]) {
    this.#mounts = [...mounts].sort(
      (a, b) => b.point.length - a.point.length || (a.point < b.point ? -1 : 1),
    );
    const points = new Set(mounts.map(({ point }) => point));
    if (points.size < mounts.length) throw new Error('two resolvers are mounted at one point');
    if (this.#mounts.at(-1)?.point !== '/') throw new Error('no resolver is mounted at /');
    this.#innermost = new Set(
      mounts.filter(
        (mount) => !mounts.some((other) => other !== mount && below(other.point, mount.point) !== undefined),
      ),
    );
  }

  /** All mounts, sorted by point. */
  mounts(): readonly Mount[] {
    return this.#mounts.toSorted((a, b) => (a.point < b.point ? -1 : 1));
  }

  route(path: VfsPath): Route {
    const latest = this.#latest && routeIn(this.#latest, path);
    if (latest !== undefined) return latest;
    for (const mount of this.#mounts) {
      const route = routeIn(mount, path);
      if (route === undefined) continue;
      this.#latest = this.#innermost.has(mount) ? mount : undefined;
      return route;
    }
    throw new Error(`no mount holds ${path}`);
  }

  /** Names of mount points in a folder. The folder's own resolver need not know them. */
  pointsIn(folder: VfsPath): string[] {
    return this.#mounts.flatMap(({ point }) => {
      const name = baseName(point);
      return name !== '' && childOf(folder, name) === point ? [name] : [];
    });
  }
}

function routeIn({ point, resolver }: Mount, path: VfsPath): Route | undefined {
  const subPath = below(path, point);
  return subPath === undefined ? undefined : { point, resolver, subPath };
}
