import type { RenameUse } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import type { SubPath } from '../core/paths.ts';
import type { Hit, OpContext, Query, Resolver } from '../core/resolver.ts';
import type { MemoryFiles } from '../memory/memory-files.ts';
import type { MemoryPaths } from '../memory/memory-paths.ts';

export interface MemoryResolverParts {
  readonly files: MemoryFiles;
  /** Finds what paths lead to in these files. */
  readonly paths: MemoryPaths;
  readonly search: (query: Query) => readonly Hit[];
}

/**
 * The `memory/` and `review/` folders of the `context/` subtree. Memories are ordinary files in the folders of their types. `review/` shows those of
 * them once more that wait for a person: moving one to memory accepts it, removing it rejects it. Folders that are parts of the tree itself cannot be
 * made, moved or removed (EACCES, EBUSY).
 */
export function memoryResolver({ files, paths, search }: MemoryResolverParts): Resolver {
  return {
    name: 'memory',
    stat: (path) => paths.stat(path),
    list: (path) => paths.list(path),
    open(path, context) {
      const { place } = paths.fileAt(path);
      return files.open(place, context);
    },
    attributes(path) {
      const target = paths.targetAt(path);
      if (target !== undefined) return files.attributes(target.place);
      paths.stat(path);
      return new Map();
    },
    openToWrite(path, options, context) {
      const target = paths.fileAt(path);
      return target.files.openToWrite(target.place, options, context);
    },
    create(path, options, context) {
      const target = paths.targetAt(path) ?? { place: paths.newPlaceAt(path), files };
      return target.files.create(target.place, options, context);
    },
    truncate(path, sizeBytes, context) {
      const target = paths.fileAt(path);
      target.files.truncate(target.place, sizeBytes, context);
    },
    makeFolder: (path, mode) => files.makeFolder(paths.newPlaceAt(path), mode),
    removeFolder(path) {
      const { place } = paths.movableAt(path);
      if (paths.at(path)?.kind === 'review') throw new FsError('ENOTDIR', path, 'this is not a folder');
      files.removeFolder(place);
    },
    remove(path, context) {
      const { place } = paths.fileAt(path);
      const resolved = paths.at(path);
      if (resolved?.kind === 'review') files.review.reject(resolved.name, context);
      else files.remove(place, context);
    },
    rename: (from, to, context, use) => moveMemory({ files, paths }, from, to, context, use),
    link(existing, path) {
      paths.stat(existing);
      return paths.refuseNode(path, 'hard links');
    },
    symlink(_target, path) {
      return paths.refuseNode(path, 'links');
    },
    makeNode(path, { kind, mode }, context) {
      if (kind !== 'file') return paths.refuseNode(path, 'pipes and devices');
      const place = paths.freePlaceAt(path);
      const file = files.create(place, { append: false, truncate: false, exclusive: true, mode }, context);
      file.close();
    },
    changeMode(path, mode) {
      const target = paths.ownAt(path);
      target.files.changeMode(target.place, mode);
    },
    changeOwner(path, owner) {
      paths.stat(path);
      paths.requireOurs(path, owner);
    },
    changeTimes(path, times, context) {
      const target = paths.ownAt(path);
      target.files.changeTimes(target.place, times, context);
    },
    setAttribute(path, name, value, use, context) {
      const target = paths.attributedAt(path);
      target.files.setAttribute(target.place, name, value, use, context);
    },
    removeAttribute(path, name, context) {
      const target = paths.attributedAt(path);
      target.files.removeAttribute(target.place, name, context);
    },
    syncFolder: () => files.sync(),
    space: () => files.space(),
    search,
    onChange: (listener) => files.onChange(listener),
  };
}

/** Within memory it is renamed, and out of review it is accepted. @throws FsError for all other moves */
function moveMemory(
  { files, paths }: Pick<MemoryResolverParts, 'files' | 'paths'>,
  from: SubPath,
  to: SubPath,
  context: OpContext,
  use: RenameUse | undefined,
): void {
  const { place } = paths.movableAt(from);
  if (use === 'exchange') throw new FsError('EINVAL', from, 'names of memories cannot be exchanged');
  if (use === 'keep' && paths.isThere(to)) {
    throw new FsError('EEXIST', to, 'there is already something with this name');
  }
  const source = paths.at(from);
  const target = paths.at(to);
  if (from === to) paths.stat(from);
  else if (target?.kind === 'review' && target.name !== '') {
    paths.refuse('EACCES', to, 'set the tag needs_review to have a memory reviewed');
  } else if (target !== undefined && (target.kind !== 'memory' || target.place.key === '')) {
    throw new FsError('EBUSY', to, 'this folder is a part of the tree');
  } else if (source?.kind === 'review') files.review.accept(source.name, paths.newPlaceAt(to), context);
  else files.rename(place, paths.newPlaceAt(to), context);
}
