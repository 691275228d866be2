import { after } from '../core/awaitable.ts';
import { type ErrnoCode, FsError } from '../core/errors.ts';
import { entriesOf } from '../core/generated-tree.ts';
import { Listeners } from '../core/listeners.ts';
import { folderInfo } from '../core/node-info.ts';
import type { SubPath } from '../core/paths.ts';
import type { Awaitable, ChangeListener, Hit, Query, Resolver, Unsubscribe } from '../core/resolver.ts';

/** The tree of a module, which can be read and watched, and in some places written to. */
export type MountedTree = Resolver &
  Required<Pick<Resolver, 'readLink' | 'openToWrite' | 'truncate' | 'changeTimes' | 'onChange'>>;

/** The modules of a project, each with a tree of its own. */
export interface MountedModules {
  names(): readonly string[];
  get(name: string): { readonly tree: MountedTree } | undefined;
  /** Why a module in the config does not run. */
  whyRefused(name: string): string | undefined;
}

const NO_MODULES: MountedModules = { names: () => [], get: () => undefined, whyRefused: () => undefined };

const ROOT = '/modules/';

/** @param path of the mount */
function inModules(path: string): SubPath {
  return path.slice(ROOT.length) as SubPath;
}

/** A path below a module's own folder. */
interface Route {
  readonly tree: MountedTree;
  readonly subPath: SubPath;
}

/**
 * The subtree `modules/`: a folder for each module.
 * @param modules called on the first access, so that nothing is looked for before. Undefined if there are none
 * @param search searches the texts of modules that are searched, with hits at paths of the mount; undefined if none is
 */
export function modulesResolver(
  modules: () => MountedModules | undefined,
  startedNs: bigint,
  search?: (query: Query) => Awaitable<readonly Hit[]>,
): Resolver {
  const known = new KnownModules(modules);
  return {
    name: 'modules',
    stat(path, context) {
      if (path === '') return folderInfo(startedNs);
      const { tree, subPath } = known.routeOf(path);
      return tree.stat(subPath, context);
    },
    list(path, context) {
      if (path === '') return entriesOf('directory', known.names());
      const { tree, subPath } = known.routeOf(path);
      return tree.list(subPath, context);
    },
    open(path, context, knownVersion) {
      const { tree, subPath } = known.routeBelow(path, 'EISDIR', 'this is a folder');
      return tree.open(subPath, context, knownVersion);
    },
    readLink(path, context) {
      const { tree, subPath } = known.routeBelow(path, 'EINVAL', 'this is not a link');
      return tree.readLink(subPath, context);
    },
    openToWrite(path, options, context) {
      const { tree, subPath } = known.routeBelow(path, 'EISDIR', 'this is a folder');
      return tree.openToWrite(subPath, options, context);
    },
    truncate(path, sizeBytes, context) {
      const { tree, subPath } = known.routeBelow(path, 'EISDIR', 'this is a folder');
      return tree.truncate(subPath, sizeBytes, context);
    },
    changeTimes(path, times, context) {
      const { tree, subPath } = known.routeBelow(path, 'EROFS', 'this part of the tree is read-only');
      return tree.changeTimes(subPath, times, context);
    },
    ...(search === undefined
      ? {}
      : {
          search: (query: Query) =>
            after(search({ ...query, onUnread: (path) => query.onUnread?.(inModules(path)) }), (hits) =>
              hits.map((hit) => ({ ...hit, path: inModules(hit.path) })),
            ),
        }),
    tellsOfNew: (path) => path === '' || path.startsWith('.'),
    onChange: (listener) => known.onChange(listener),
  };
}

/** The modules, from the first access on. */
class KnownModules {
  readonly #open: () => MountedModules | undefined;
  readonly #listeners = new Listeners<[paths: readonly SubPath[]]>();
  #opened: MountedModules | undefined;

  constructor(open: () => MountedModules | undefined) {
    this.#open = open;
  }

  names(): readonly string[] {
    return this.#known().names();
  }

  /** @throws FsError ENOENT, and EACCES for a module that does not run */
  routeOf(path: SubPath): Route {
    const [name = '', ...rest] = path.split('/');
    const tree = name.startsWith('.') ? undefined : this.#known().get(name)?.tree;
    if (tree !== undefined) return { tree, subPath: rest.join('/') as SubPath };
    const refused = this.#known().whyRefused(name);
    if (refused !== undefined) throw new FsError('EACCES', path, refused);
    throw new FsError('ENOENT', path, 'the config names no module of this name');
  }

  /** As above, with the refusal for the folder of all modules. */
  routeBelow(path: SubPath, refusal: ErrnoCode, why: string): Route {
    if (path === '') throw new FsError(refusal, path, why);
    return this.routeOf(path);
  }

  /** Tells paths below the folder of all modules. */
  onChange(listener: ChangeListener): Unsubscribe {
    return this.#listeners.add(listener);
  }

  #known(): MountedModules {
    if (this.#opened !== undefined) return this.#opened;
    const opened = this.#open() ?? NO_MODULES;
    this.#opened = opened;
    for (const name of opened.names()) {
      opened
        .get(name)
        ?.tree.onChange((paths) => this.#listeners.tell(paths.map((path) => joined(name, path))));
    }
    return opened;
  }
}

function joined(name: string, path: SubPath): SubPath {
  return (path === '' ? name : `${name}/${path}`) as SubPath;
}
