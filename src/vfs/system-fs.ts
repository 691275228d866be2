import { FsError, isFsError } from '../core/errors.ts';
import { below, joinPath, parsePath, type VfsPath } from '../core/paths.ts';
import type { Awaitable, DirEntry, Hit, NodeInfo, OpContext, Query, Unsubscribe } from '../core/resolver.ts';
import { type Mount, MountTable, type Route } from './mount-table.ts';
import type { ChangeOperation, Vfs } from './vfs.ts';

/** A hit with its path in the whole tree. */
export type FoundHit = Omit<Hit, 'path'> & { readonly path: VfsPath };

/** Reports what is not an FsError: a bug. */
export type BugReporter = (error: unknown, path: VfsPath) => void;

/** Changes that make a new name; for all others the path has to be there first. */
const CREATING: ReadonlySet<ChangeOperation> = new Set(['create', 'mkdir', 'symlink', 'link', 'mknod']);

/** One namespace over all resolvers. */
export class SystemFs implements Vfs {
  readonly #table: MountTable;
  readonly #reportBug: BugReporter;

  constructor(mounts: readonly Mount[], reportBug: BugReporter) {
    this.#table = new MountTable(mounts);
    this.#reportBug = reportBug;
  }

  mounts(): readonly Mount[] {
    return this.#table.mounts();
  }

  stat(path: VfsPath, context: OpContext): Awaitable<NodeInfo> {
    return this.#at(path, ({ resolver, subPath }) => resolver.stat(subPath, context));
  }

  list(path: VfsPath, context: OpContext): Awaitable<readonly DirEntry[]> {
    const points = this.#table.pointsIn(path);
    return this.#at(path, ({ resolver, subPath }) => {
      const listed = resolver.list(subPath, context);
      return points.length === 0 ? listed : after(listed, (entries) => withPoints(entries, points));
    });
  }

  open(path: VfsPath, context: OpContext) {
    return this.#at(path, ({ resolver, subPath }) => resolver.open(subPath, context));
  }

  readLink(path: VfsPath, context: OpContext): Awaitable<string> {
    return this.#at(path, ({ resolver, subPath }) => {
      if (resolver.readLink) return resolver.readLink(subPath, context);
      return after(resolver.stat(subPath, context), () => {
        throw new FsError('EINVAL', path, 'this is no link');
      });
    });
  }

  attributes(path: VfsPath, context: OpContext): Awaitable<ReadonlyMap<string, string>> {
    return this.#at(path, ({ resolver, subPath }) => {
      if (resolver.attributes) return resolver.attributes(subPath, context);
      return after(resolver.stat(subPath, context), () => new Map<string, string>());
    });
  }

  refuseChange(operation: ChangeOperation, path: VfsPath, context: OpContext): Awaitable<never> {
    const refuse = (): never => {
      throw new FsError('EROFS', path, 'this part of the tree is read-only');
    };
    if (!CREATING.has(operation)) return after(this.stat(path, context), refuse);
    const parent = parsePath(`${path}/..`);
    return after(this.#exists(path, context), (exists) => {
      if (exists) throw new FsError('EEXIST', path, 'there is something of this name already');
      return after(this.list(parent, context), refuse);
    });
  }

  /**
   * Asks every resolver in the scope that can search; hits of one resolver stay in its order, best scores first. Where
   * the scope is a part of what one resolver serves, its hits from elsewhere do not count.
   */
  async search(query: Query, scope: VfsPath, context: OpContext): Promise<FoundHit[]> {
    const asked = this.mounts().filter(({ point }) => below(point, scope) !== undefined);
    const around = this.#table.route(scope);
    if (around.point !== scope) asked.push(around);
    const answers = await Promise.all(
      asked.map(async ({ point, resolver }) => {
        const limit = point === around.point && point !== scope ? Number.MAX_SAFE_INTEGER : query.limit;
        const hits = (await resolver.search?.({ ...query, limit }, context)) ?? [];
        return hits.map((hit) => ({ ...hit, path: joinPath(point, hit.path) }));
      }),
    );
    return answers
      .flat()
      .filter(({ path }) => below(path, scope) !== undefined)
      .sort((a, b) => b.score - a.score)
      .slice(0, query.limit);
  }

  /** Runs an action of the resolver that serves the path. @throws FsError ENOTSUP where it has none */
  exec(path: VfsPath, action: string, args: readonly string[], context: OpContext): Awaitable<string> {
    return this.#at(path, ({ resolver, subPath }) => {
      if (resolver.exec) return resolver.exec(subPath, action, args, context);
      throw new FsError('ENOTSUP', path, `${resolver.name} has no actions`);
    });
  }

  onChange(listener: (changed: readonly VfsPath[]) => void): Unsubscribe {
    const unsubscribes = this.mounts().map(({ point, resolver }) =>
      resolver.onChange?.((changed) => listener(changed.map((subPath) => joinPath(point, subPath)))),
    );
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe?.();
    };
  }

  #exists(path: VfsPath, context: OpContext): Awaitable<boolean> {
    return settle(
      () => this.stat(path, context),
      () => true,
      (error) => {
        if (isFsError(error, 'ENOENT')) return false;
        throw error;
      },
    );
  }

  /** Runs an operation at a path; errors come out as FsErrors that name the whole path. */
  #at<T>(path: VfsPath, operation: (route: Route) => Awaitable<T>): Awaitable<T> {
    return settle(
      () => operation(this.#table.route(path)),
      (value) => value,
      (error) => {
        if (error instanceof FsError) throw new FsError(error.code, path, error.why, { cause: error.cause });
        this.#reportBug(error, path);
        throw new FsError('EIO', path, 'kgraphfs failed here; the reason is in .kgraphfs/errors.jsonl', {
          cause: error,
        });
      },
    );
  }
}

function withPoints(entries: readonly DirEntry[], points: readonly string[]): DirEntry[] {
  const merged = new Map(entries.map((entry) => [entry.name, entry]));
  for (const name of points) if (!merged.has(name)) merged.set(name, { name, kind: 'directory' });
  return [...merged.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What follows on a value: at once where the value is there at once. */
function after<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromiseLike(value) ? value.then(next) : next(value);
}

/** Like `try`, for an operation that may answer at once or later. */
function settle<T, U>(
  start: () => Awaitable<T>,
  succeed: (value: T) => U,
  fail: (error: unknown) => U,
): Awaitable<U> {
  try {
    const value = start();
    return isPromiseLike(value) ? value.then(succeed, fail) : succeed(value);
  } catch (error) {
    return fail(error);
  }
}

function isPromiseLike<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
