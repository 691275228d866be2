/** Long because each way to use the tree has its method here. */
import { after, recover } from '../core/awaitable.ts';
import type {
  AttributeUse,
  CreateOptions,
  NewNode,
  Owner,
  RenameUse,
  Space,
  Times,
  WritableFile,
  WriteOptions,
} from '../core/changes.ts';
import { codeOfFailure, FsError } from '../core/errors.ts';
import { below, joinPath, parentOf, type SubPath, type VfsPath } from '../core/paths.ts';
import {
  type Attributes,
  type Awaitable,
  type DirEntry,
  doLater,
  type Hit,
  type KnownVersion,
  type NodeInfo,
  type OpContext,
  type OpenFile,
  type Query,
  type Resolver,
  type Unsubscribe,
} from '../core/resolver.ts';
import { type Mount, MountTable, type Route } from './mount-table.ts';
import { orMissing, statOneByOne, thereNow } from './stat-names.ts';
import type { Vfs } from './vfs.ts';

/** A hit with its path in the whole tree. */
export type FoundHit = Omit<Hit, 'path'> & { readonly path: VfsPath };

/** A query of the whole tree. */
export type TreeQuery = Omit<Query, 'onUnread'> & {
  /** Called with each path in the scope that cannot be read now and may have what is looked for. */
  readonly onUnread?: (path: VfsPath) => void;
};

/** Is told of errors that are not FsErrors: bugs, or a full disk. */
export type FailureReporter = (error: unknown, path: VfsPath) => void;

/** Is told what callers do, once it has succeeded. Must not throw. */
export interface FsObserver {
  opened(path: VfsPath, how: 'read' | 'write', context: OpContext): void;
  searched(query: TreeQuery, scope: VfsPath, hits: number, context: OpContext): void;
}

const NO_SPACE_TOLD: Space = { totalBytes: 0, freeBytes: 0, totalFiles: 0, freeFiles: 0 };

/** One namespace over all resolvers. */
export class SystemFs implements Vfs {
  readonly #table: MountTable;
  readonly #reportFailure: FailureReporter;
  readonly #observer: FsObserver | undefined;
  #onNextUse: (() => void) | undefined;

  constructor(mounts: readonly Mount[], reportFailure: FailureReporter, observer?: FsObserver) {
    this.#table = new MountTable(mounts);
    this.#reportFailure = reportFailure;
    this.#observer = observer;
  }

  mounts(): readonly Mount[] {
    return this.#table.mounts();
  }

  /** The same tree with another observer, or none. */
  observedBy(observer: FsObserver | undefined): SystemFs {
    return new SystemFs(this.mounts(), this.#reportFailure, observer);
  }

  /** Calls a function once, at the next use of the tree. Operations on a file that is already open do not count. */
  tellNextUse(listener: () => void): void {
    this.#onNextUse = listener;
  }

  stat(path: VfsPath, context: OpContext): Awaitable<NodeInfo> {
    return this.#at(path, ({ resolver, subPath }) => resolver.stat(subPath, context));
  }

  find(path: VfsPath, context: OpContext): Awaitable<NodeInfo | undefined> {
    return orMissing(() =>
      this.#at(path, ({ resolver, subPath }) =>
        resolver.find ? resolver.find(subPath, context) : resolver.stat(subPath, context),
      ),
    );
  }

  list(path: VfsPath, context: OpContext): Awaitable<readonly DirEntry[]> {
    const points = this.#table.pointsIn(path);
    return this.#at(path, ({ resolver, subPath }) => {
      const listed = resolver.list(subPath, context);
      return points.length === 0 ? listed : after(listed, (entries) => withPoints(entries, points));
    });
  }

  statNames(
    folder: VfsPath,
    names: readonly string[],
    context: OpContext,
  ): readonly (NodeInfo | undefined)[] {
    const { resolver } = this.#table.route(folder);
    if (resolver.statNames === undefined || this.#table.pointsIn(folder).length > 0) {
      return statOneByOne(this, folder, names, context);
    }
    const ask = () => this.#at(folder, ({ subPath }) => resolver.statNames?.(subPath, names, context) ?? []);
    return thereNow(ask) ?? names.map(() => undefined);
  }

  open(path: VfsPath, context: OpContext, known?: KnownVersion): Awaitable<OpenFile> {
    return this.#observed(path, 'read', this.openUnnoted(path, context, known), context);
  }

  openUnnoted(path: VfsPath, context: OpContext, known?: KnownVersion): Awaitable<OpenFile> {
    return this.#at(path, ({ resolver, subPath }) => resolver.open(subPath, context, known));
  }

  noteRead(path: VfsPath, context: OpContext): void {
    if (this.#observer !== undefined) doLater(context, () => this.#observer?.opened(path, 'read', context));
  }

  openAhead(path: VfsPath, known?: KnownVersion): OpenFile | undefined {
    return thereNow(() => this.#at(path, ({ resolver, subPath }) => resolver.openAhead?.(subPath, known)));
  }

  readLink(path: VfsPath, context: OpContext): Awaitable<string> {
    return this.#at(path, ({ resolver, subPath }) => {
      if (resolver.readLink) return resolver.readLink(subPath, context);
      return after(resolver.stat(subPath, context), () => {
        throw new FsError('EINVAL', path, 'this is not a link');
      });
    });
  }

  attributes(path: VfsPath, context: OpContext): Awaitable<Attributes> {
    return this.#at(path, ({ resolver, subPath }) => {
      if (resolver.attributes) return resolver.attributes(subPath, context);
      return after(resolver.stat(subPath, context), () => new Map<string, string>());
    });
  }

  openToWrite(path: VfsPath, options: WriteOptions, context: OpContext): Awaitable<WritableFile> {
    const opened = this.#at(path, ({ resolver, subPath }) =>
      resolver.openToWrite
        ? resolver.openToWrite(subPath, options, context)
        : this.#refuseChange(path, context),
    );
    return this.#observed(path, 'write', opened, context);
  }

  create(path: VfsPath, options: CreateOptions, context: OpContext): Awaitable<WritableFile> {
    const created = this.#at(path, ({ resolver, subPath }) => {
      if (resolver.create) return resolver.create(subPath, options, context);
      return this.#refuseNew(path, context, options.exclusive ? 'EEXIST' : 'EROFS');
    });
    return this.#observed(path, 'write', created, context);
  }

  truncate(path: VfsPath, sizeBytes: number, context: OpContext): Awaitable<void> {
    return this.#atChangeable(path, context, 'truncate', ({ resolver, subPath }) =>
      resolver.truncate?.(subPath, sizeBytes, context),
    );
  }

  makeFolder(path: VfsPath, mode: number, context: OpContext): Awaitable<void> {
    return this.#atNew(path, context, 'makeFolder', ({ resolver, subPath }) =>
      resolver.makeFolder?.(subPath, mode, context),
    );
  }

  removeFolder(path: VfsPath, context: OpContext): Awaitable<void> {
    return this.#atRemovable(path, context, 'removeFolder', ({ resolver, subPath }) =>
      resolver.removeFolder?.(subPath, context),
    );
  }

  remove(path: VfsPath, context: OpContext): Awaitable<void> {
    return this.#atRemovable(path, context, 'remove', ({ resolver, subPath }) =>
      resolver.remove?.(subPath, context),
    );
  }

  rename(from: VfsPath, to: VfsPath, context: OpContext, use: RenameUse = 'replace'): Awaitable<void> {
    return this.#atRemovable(from, context, 'rename', (route) => {
      const target = this.#targetIn(route, to, context);
      return after<SubPath, void>(target, (target) =>
        route.resolver.rename?.(route.subPath, target, context, use),
      );
    });
  }

  link(existing: VfsPath, path: VfsPath, context: OpContext): Awaitable<void> {
    return this.#atNew(path, context, 'link', (route) => {
      const target = this.#targetIn(route, existing, context);
      return after<SubPath, void>(target, (target) => route.resolver.link?.(target, route.subPath, context));
    });
  }

  symlink(target: string, path: VfsPath, context: OpContext): Awaitable<void> {
    return this.#atNew(path, context, 'symlink', ({ resolver, subPath }) =>
      resolver.symlink?.(target, subPath, context),
    );
  }

  makeNode(path: VfsPath, node: NewNode, context: OpContext): Awaitable<void> {
    return this.#atNew(path, context, 'makeNode', ({ resolver, subPath }) =>
      resolver.makeNode?.(subPath, node, context),
    );
  }

  changeMode(path: VfsPath, mode: number, context: OpContext): Awaitable<void> {
    return this.#atChangeable(path, context, 'changeMode', ({ resolver, subPath }) =>
      resolver.changeMode?.(subPath, mode, context),
    );
  }

  changeOwner(path: VfsPath, owner: Owner, context: OpContext): Awaitable<void> {
    return this.#atChangeable(path, context, 'changeOwner', ({ resolver, subPath }) =>
      resolver.changeOwner?.(subPath, owner, context),
    );
  }

  changeTimes(path: VfsPath, times: Times, context: OpContext): Awaitable<void> {
    return this.#atChangeable(path, context, 'changeTimes', ({ resolver, subPath }) =>
      resolver.changeTimes?.(subPath, times, context),
    );
  }

  setAttribute(
    path: VfsPath,
    name: string,
    value: Uint8Array,
    use: AttributeUse,
    context: OpContext,
  ): Awaitable<void> {
    return this.#atChangeable(path, context, 'setAttribute', ({ resolver, subPath }) =>
      resolver.setAttribute?.(subPath, name, value, use, context),
    );
  }

  removeAttribute(path: VfsPath, name: string, context: OpContext): Awaitable<void> {
    return this.#atChangeable(path, context, 'removeAttribute', ({ resolver, subPath }) =>
      resolver.removeAttribute?.(subPath, name, context),
    );
  }

  syncFolder(path: VfsPath, context: OpContext): Awaitable<void> {
    return this.#at(path, ({ resolver, subPath }) => resolver.syncFolder?.(subPath, context));
  }

  space(path: VfsPath, context: OpContext): Awaitable<Space> {
    return this.#at(path, ({ resolver, subPath }) => resolver.space?.(subPath, context) ?? NO_SPACE_TOLD);
  }

  /**
   * Asks every resolver in the scope that can search. Best scores come first, and the hits of one resolver stay in its order. If
   * the scope is only a part of what a resolver serves, its hits from elsewhere are left out.
   */
  async search(query: TreeQuery, scope: VfsPath, context: OpContext): Promise<FoundHit[]> {
    const asked = this.mounts().filter(({ point }) => below(point, scope) !== undefined);
    const around = this.#table.route(scope);
    if (around.point !== scope) asked.push(around);
    const answers = await Promise.all(
      asked.map(async ({ point, resolver }) => {
        const limit = point === around.point && point !== scope ? Number.MAX_SAFE_INTEGER : query.limit;
        const onUnread = (subPath: SubPath) => {
          const path = joinPath(point, subPath);
          if (below(path, scope) !== undefined) query.onUnread?.(path);
        };
        const hits = (await resolver.search?.({ ...query, limit, onUnread }, context)) ?? [];
        return hits.map((hit) => ({ ...hit, path: joinPath(point, hit.path) }));
      }),
    );
    const found = answers
      .flat()
      .filter(({ path }) => below(path, scope) !== undefined)
      .sort((a, b) => b.score - a.score)
      .slice(0, query.limit);
    this.#observer?.searched(query, scope, found.length, context);
    return found;
  }

  /** Runs an action of the resolver that serves the path. @throws FsError ENOTSUP if that has none */
  exec(path: VfsPath, action: string, args: readonly string[], context: OpContext): Awaitable<string> {
    return this.#at(path, ({ resolver, subPath }) => {
      if (resolver.exec) return resolver.exec(subPath, action, args, context);
      throw new FsError('ENOTSUP', path, `${resolver.name} has no actions`);
    });
  }

  tellsOfNew(path: VfsPath): boolean {
    const { resolver, subPath } = this.#table.route(path);
    return resolver.tellsOfNew?.(subPath) ?? true;
  }

  onChange(listener: (changed: readonly VfsPath[]) => void): Unsubscribe {
    const unsubscribes = this.mounts().map(({ point, resolver }) =>
      resolver.onChange?.((changed) => listener(changed.map((subPath) => joinPath(point, subPath)))),
    );
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe?.();
    };
  }

  #observed<T extends OpenFile>(
    path: VfsPath,
    how: 'read' | 'write',
    opened: Awaitable<T>,
    context: OpContext,
  ): Awaitable<T> {
    if (this.#observer === undefined) return opened;
    return after(opened, (file) => {
      doLater(context, () => this.#observer?.opened(path, how, context));
      return file;
    });
  }

  /** Runs a change that makes a name, with a resolver's method with this name. */
  #atNew(
    path: VfsPath,
    context: OpContext,
    method: keyof Resolver,
    make: (route: Route) => Awaitable<void>,
  ): Awaitable<void> {
    return this.#at(path, (route) => {
      if (route.resolver[method] === undefined) return this.#refuseNew(path, context);
      if (route.subPath === '')
        throw new FsError('EEXIST', path, 'there is already something with this name');
      return make(route);
    });
  }

  /** Runs a change of something that has a name, and keeps it. */
  #atChangeable(
    path: VfsPath,
    context: OpContext,
    method: keyof Resolver,
    change: (route: Route) => Awaitable<void>,
  ): Awaitable<void> {
    return this.#at(path, (route) =>
      route.resolver[method] === undefined ? this.#refuseChange(path, context) : change(route),
    );
  }

  /** Runs a change that takes a name away. */
  #atRemovable(
    path: VfsPath,
    context: OpContext,
    method: keyof Resolver,
    remove: (route: Route) => Awaitable<void>,
  ): Awaitable<void> {
    return this.#at(path, (route) => {
      if (route.resolver[method] === undefined) return this.#refuseChange(path, context);
      if (route.subPath === '') throw new FsError('EBUSY', path, 'this folder is a part of the tree');
      return remove(route);
    });
  }

  /** For a change with two paths: the second one as the resolver of the first sees it. */
  #targetIn(route: Route, path: VfsPath, context: OpContext): Awaitable<SubPath> {
    const target = this.#table.route(path);
    if (target.point === route.point) return target.subPath;
    return after(this.find(parentOf(path), context), (folder) => {
      if (folder === undefined) throw new FsError('ENOENT', path, 'there is no such folder');
      throw new FsError('EXDEV', path, 'this is another part of the tree; copy and remove instead');
    });
  }

  #refuseChange(path: VfsPath, context: OpContext): Awaitable<never> {
    return after(this.stat(path, context), (): never => {
      throw new FsError('EROFS', path, 'this part of the tree is read-only');
    });
  }

  /** Refuses to make a name, with the error that a read-only disk would give. @param whereThere the code if the name is taken */
  #refuseNew(path: VfsPath, context: OpContext, whereThere: 'EEXIST' | 'EROFS' = 'EEXIST'): Awaitable<never> {
    return after(this.find(path, context), (taken) => {
      if (taken !== undefined)
        throw new FsError(whereThere, path, 'there is something with this name, and it is read-only');
      return after(this.list(parentOf(path), context), (): never => {
        throw new FsError('EROFS', path, 'this part of the tree is read-only');
      });
    });
  }

  /** Runs an operation at a path. Its errors become FsErrors that name the path in the whole tree. */
  #at<T>(path: VfsPath, operation: (route: Route) => Awaitable<T>): Awaitable<T> {
    if (this.#onNextUse !== undefined) {
      const tell = this.#onNextUse;
      this.#onNextUse = undefined;
      tell();
    }
    return recover(
      () => operation(this.#table.route(path)),
      (error): never => {
        if (error instanceof FsError) throw new FsError(error.code, path, error.why, { cause: error.cause });
        this.#reportFailure(error, path);
        throw new FsError(
          codeOfFailure(error),
          path,
          'kgraphfs failed here; the reason is in .kgraphfs/errors.jsonl',
          {
            cause: error,
          },
        );
      },
    );
  }
}

function withPoints(entries: readonly DirEntry[], points: readonly string[]): DirEntry[] {
  const merged = new Map(entries.map((entry) => [entry.name, entry]));
  for (const name of points) if (!merged.has(name)) merged.set(name, { name, kind: 'directory' });
  return [...merged.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
