import { after } from '../core/awaitable.ts';
import { FsError } from '../core/errors.ts';
import { entriesOf } from '../core/generated-tree.ts';
import { folderInfo } from '../core/node-info.ts';
import type { SubPath } from '../core/paths.ts';
import type { Awaitable, ChangeListener, Hit, Query, Resolver } from '../core/resolver.ts';

/** What a module shows: to read, to follow, and here and there to write. */
export type MountedTree = Resolver &
  Required<Pick<Resolver, 'readLink' | 'openToWrite' | 'truncate' | 'changeTimes' | 'onChange'>>;

/** The modules of a project, each a tree of its own. */
export interface MountedModules {
  names(): readonly string[];
  get(name: string): { readonly tree: MountedTree } | undefined;
  /** Why a module that the config names does not run. */
  whyRefused(name: string): string | undefined;
}

const NO_MODULES: MountedModules = { names: () => [], get: () => undefined, whyRefused: () => undefined };

const ROOT = '/modules/';

/** A path below a module's own folder. */
interface Route {
  readonly tree: MountedTree;
  readonly name: string;
  readonly subPath: SubPath;
}

/**
 * The subtree `modules/`: a folder for each module.
 * @param modules called when somebody asks for the first time: what they need is not looked for before. Undefined where there are none
 * @param search in the texts of those that are searched, hits at paths of the mount; undefined where none is
 */
export function modulesResolver(
  modules: () => MountedModules | undefined,
  startedNs: bigint,
  search?: (query: Query) => Awaitable<readonly Hit[]>,
): Resolver {
  const listeners = new Set<ChangeListener>();
  let opened: MountedModules | undefined;

  function known(): MountedModules {
    if (opened !== undefined) return opened;
    opened = modules() ?? NO_MODULES;
    for (const name of opened.names()) {
      opened.get(name)?.tree.onChange((paths) => {
        const whole = paths.map((path) => joined(name, path));
        for (const listener of listeners) listener(whole);
      });
    }
    return opened;
  }

  function routeOf(path: SubPath): Route {
    const [name = '', ...rest] = path.split('/');
    const tree = name.startsWith('.') ? undefined : known().get(name)?.tree;
    if (tree !== undefined) return { tree, name, subPath: rest.join('/') as SubPath };
    const refused = known().whyRefused(name);
    if (refused !== undefined) throw new FsError('EACCES', path, refused);
    throw new FsError('ENOENT', path, 'the config names no module so');
  }

  return {
    name: 'modules',
    stat(path, context) {
      if (path === '') return folderInfo(startedNs);
      const { tree, subPath } = routeOf(path);
      return tree.stat(subPath, context);
    },
    list(path, context) {
      if (path === '') return entriesOf('directory', known().names());
      const { tree, subPath } = routeOf(path);
      return tree.list(subPath, context);
    },
    open(path, context, known) {
      if (path === '') throw new FsError('EISDIR', path, 'this is a folder');
      const { tree, subPath } = routeOf(path);
      return tree.open(subPath, context, known);
    },
    readLink(path, context) {
      if (path === '') throw new FsError('EINVAL', path, 'this is no link');
      const { tree, subPath } = routeOf(path);
      return tree.readLink(subPath, context);
    },
    openToWrite(path, options, context) {
      if (path === '') throw new FsError('EISDIR', path, 'this is a folder');
      const { tree, subPath } = routeOf(path);
      return tree.openToWrite(subPath, options, context);
    },
    truncate(path, sizeBytes, context) {
      if (path === '') throw new FsError('EISDIR', path, 'this is a folder');
      const { tree, subPath } = routeOf(path);
      return tree.truncate(subPath, sizeBytes, context);
    },
    changeTimes(path, times, context) {
      if (path === '') throw new FsError('EROFS', path, 'this part of the tree is read-only');
      const { tree, subPath } = routeOf(path);
      return tree.changeTimes(subPath, times, context);
    },
    ...(search === undefined
      ? {}
      : {
          search: (query: Query) =>
            after(search(query), (hits) =>
              hits.map((hit) => ({ ...hit, path: hit.path.slice(ROOT.length) as SubPath })),
            ),
        }),
    tellsOfNew: (path) => path === '' || path.startsWith('.'),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function joined(name: string, path: SubPath): SubPath {
  return (path === '' ? name : `${name}/${path}`) as SubPath;
}
