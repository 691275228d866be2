import type { ErrorLog } from '../core/error-log.ts';
import { type ErrnoCode, FsError, isFsError } from '../core/errors.ts';
import { MEMORY_TYPES, type MemoryPlace } from '../core/memory-entry.ts';
import { folderInfo, msToNs } from '../core/node-info.ts';
import type { SubPath } from '../core/paths.ts';
import type { DirEntry, Hit, NodeInfo, Query, Resolver } from '../core/resolver.ts';
import type { MemoryFiles } from '../memory/memory-files.ts';

export interface MemoryResolverParts {
  readonly files: MemoryFiles;
  readonly search: (query: Query) => readonly Hit[];
  /** Takes the reasons of refusals that nobody can guess. */
  readonly errors: ErrorLog;
  /** When the tree came to be: the time of folders that never change. */
  readonly startedMs: number;
}

/** What a path leads to. */
type Spot =
  | { readonly kind: 'fixed'; readonly names: readonly string[] }
  | { readonly kind: 'memory'; readonly place: MemoryPlace }
  | { readonly kind: 'review'; readonly name: string };

const PRIVATE_FOLDER_MODE = 0o700;
const FIXED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['', ['memory', 'review']],
  ['memory', MEMORY_TYPES],
]);

/**
 * The `memory/` and `review/` of the `context/` subtree. Memories are ordinary files in the folders of their types; `review/` shows the same
 * files once more, as far as they wait for a person: moving one to memory accepts it, removing it rejects it. Folders that are parts of
 * the tree cannot be made, moved or removed (EACCES, EBUSY).
 */
export function memoryResolver({ files, search, errors, startedMs }: MemoryResolverParts): Resolver {
  const startedNs = msToNs(startedMs);

  function refuse(code: ErrnoCode, path: string, why: string): never {
    errors.add({ code, path: `/context/${path}`, message: why });
    throw new FsError(code, path, why);
  }

  function nothing(path: string): never {
    throw new FsError('ENOENT', path, 'there is nothing of this name');
  }

  function spotAt(path: SubPath): Spot | undefined {
    const names = FIXED.get(path);
    if (names !== undefined) return { kind: 'fixed', names };
    if (path === 'review' || path.startsWith('review/')) return { kind: 'review', name: path.slice(7) };
    const type = MEMORY_TYPES.find((type) => path === `memory/${type}` || path.startsWith(`memory/${type}/`));
    return type && { kind: 'memory', place: { type, key: path.slice(`memory/${type}/`.length) } };
  }

  /** The place of a file that is there, or of a folder below memory. */
  function placeAt(path: SubPath): MemoryPlace {
    const spot = spotAt(path);
    if (spot === undefined) return nothing(path);
    if (spot.kind === 'memory') return spot.place;
    if (spot.kind === 'fixed') throw new FsError('EISDIR', path, 'this is a folder');
    const place = files.review.placeOf(spot.name);
    if (place !== undefined) return place;
    if (files.review.list(spot.name) !== undefined) throw new FsError('EISDIR', path, 'this is a folder');
    return notInReview(path, spot.name);
  }

  function notInReview(path: SubPath, name: string): never {
    const parents = name.split('/').map((_, index, parts) => parts.slice(0, index).join('/'));
    if (parents.some((parent) => files.review.placeOf(parent) !== undefined)) {
      throw new FsError('ENOTDIR', path, 'a part of this path is no folder');
    }
    return nothing(path);
  }

  /** The place of something that is to be made. @throws FsError EACCES where nothing can be */
  function newPlaceAt(path: SubPath): MemoryPlace {
    const spot = spotAt(path);
    if (spot?.kind === 'memory' && spot.place.key !== '') return spot.place;
    if (spot?.kind === 'review') {
      if (files.review.placeOf(spot.name) ?? files.review.list(spot.name)) {
        throw new FsError('EEXIST', path, 'there is something of this name already');
      }
      return refuse(
        'EACCES',
        path,
        'what waits for review is in memory/ with the tag needs_review; write it there',
      );
    }
    if (spot !== undefined) throw new FsError('EEXIST', path, 'there is something of this name already');
    return refuse(
      'EACCES',
      path,
      `memories are kept in memory/{${MEMORY_TYPES.join()}}, and in no other folder here`,
    );
  }

  /** @throws FsError EEXIST, ENOENT, ENOTDIR, EACCES where link(2) and its kin would answer that */
  function requireFree(path: SubPath): MemoryPlace {
    const place = newPlaceAt(path);
    const end = place.key.lastIndexOf('/');
    files.list({ type: place.type, key: place.key.slice(0, Math.max(0, end)) });
    if (isThere(place)) throw new FsError('EEXIST', path, 'there is something of this name already');
    return place;
  }

  function isThere(place: MemoryPlace): boolean {
    try {
      files.stat(place);
      return true;
    } catch (error) {
      if (isFsError(error, 'ENOENT')) return false;
      throw error;
    }
  }

  /** The place of something that is to be moved or removed. @throws FsError EBUSY for a part of the tree */
  function movablePlaceAt(path: SubPath): MemoryPlace {
    const spot = spotAt(path);
    const isPart =
      spot?.kind === 'fixed' || (spot?.kind === 'memory' && spot.place.key === '') || path === 'review';
    if (isPart) throw new FsError('EBUSY', path, 'this folder is a part of the tree');
    if (spot?.kind === 'review' && files.review.placeOf(spot.name) === undefined) {
      if (files.review.list(spot.name) === undefined) return notInReview(path, spot.name);
      return refuse('EACCES', path, 'folders of what waits for review come and go with what is in them');
    }
    return placeAt(path);
  }

  function list(path: SubPath): readonly DirEntry[] {
    const spot = spotAt(path);
    if (spot === undefined) return nothing(path);
    if (spot.kind === 'fixed') return spot.names.map((name) => ({ name, kind: 'directory' }));
    if (spot.kind === 'memory') return files.list(spot.place);
    const listed = files.review.list(spot.name);
    if (listed !== undefined) return listed;
    if (files.review.placeOf(spot.name)) throw new FsError('ENOTDIR', path, 'this is no folder');
    return notInReview(path, spot.name);
  }

  function stat(path: SubPath): NodeInfo {
    const spot = spotAt(path);
    if (spot === undefined) return nothing(path);
    if (spot.kind === 'fixed') return { ...folderInfo(startedNs), mode: PRIVATE_FOLDER_MODE };
    if (spot.kind === 'memory') return files.stat(spot.place);
    const place = files.review.placeOf(spot.name);
    if (place !== undefined) return files.stat(place);
    if (files.review.list(spot.name) === undefined) return notInReview(path, spot.name);
    return { ...folderInfo(files.review.modifiedNs()), mode: PRIVATE_FOLDER_MODE };
  }

  /** For changes of what a folder shows: those that are parts of the tree have it fixed. */
  function requireChangeable(path: SubPath): MemoryPlace {
    const spot = spotAt(path);
    if (spot?.kind === 'memory') return spot.place;
    if (spot?.kind === 'review') {
      const place = files.review.placeOf(spot.name);
      if (place !== undefined) return place;
    }
    stat(path);
    throw new FsError('EPERM', path, 'this folder is a part of the tree');
  }

  function refuseNode(path: SubPath, what: string): never {
    return refuse(
      'EPERM',
      path,
      `memories are plain files: there are no ${what} here; the scratchpad has them`,
    );
  }

  return {
    name: 'memory',
    stat,
    list,
    open: (path, context) => files.open(placeAt(path), context),
    attributes(path) {
      const spot = spotAt(path);
      if (spot?.kind === 'memory') return files.attributes(spot.place);
      const place = spot?.kind === 'review' ? files.review.placeOf(spot.name) : undefined;
      if (place !== undefined) return files.attributes(place);
      stat(path);
      return new Map();
    },
    openToWrite: (path, options, context) => files.openToWrite(placeAt(path), options, context),
    create(path, options, context) {
      const spot = spotAt(path);
      const waiting = spot?.kind === 'review' ? files.review.placeOf(spot.name) : undefined;
      if (waiting !== undefined) return files.create(waiting, options, context);
      if (spot?.kind === 'memory' && spot.place.key === '') return files.create(spot.place, options, context);
      return files.create(newPlaceAt(path), options, context);
    },
    truncate: (path, sizeBytes, context) => files.truncate(placeAt(path), sizeBytes, context),
    makeFolder: (path, mode) => files.makeFolder(newPlaceAt(path), mode),
    removeFolder(path) {
      const place = movablePlaceAt(path);
      if (spotAt(path)?.kind === 'review') throw new FsError('ENOTDIR', path, 'this is no folder');
      files.removeFolder(place);
    },
    remove(path, context) {
      const spot = spotAt(path);
      if (spot?.kind === 'review' && files.review.placeOf(spot.name)) files.review.reject(spot.name, context);
      else files.remove(placeAt(path), context);
    },
    rename(from, to, context) {
      const place = movablePlaceAt(from);
      const source = spotAt(from);
      const target = spotAt(to);
      if (from === to) {
        stat(from);
        return;
      }
      if (target?.kind === 'review' && target.name !== '') {
        return refuse('EACCES', to, 'set the tag needs_review to have a memory reviewed');
      }
      const newPlace = target?.kind === 'memory' && target.place.key !== '' ? target.place : undefined;
      if (newPlace === undefined && target !== undefined)
        throw new FsError('EBUSY', to, 'this folder is a part of the tree');
      if (newPlace === undefined) {
        newPlaceAt(to);
        return;
      }
      if (source?.kind === 'review') files.review.accept(source.name, newPlace, context);
      else files.rename(place, newPlace, context);
    },
    link(existing, path) {
      placeAt(existing);
      requireFree(path);
      return refuseNode(path, 'hard links');
    },
    symlink(_target, path) {
      requireFree(path);
      return refuseNode(path, 'links');
    },
    makeNode(path, { kind, mode }, context) {
      const place = requireFree(path);
      if (kind !== 'file') return refuseNode(path, 'pipes and devices');
      const file = files.create(place, { append: false, truncate: false, exclusive: true, mode }, context);
      file.close();
    },
    changeMode: (path, mode) => files.changeMode(requireChangeable(path), mode),
    changeOwner(path, { user, group }) {
      stat(path);
      const isOurs = (id: number | undefined, ours: number | undefined): boolean =>
        id === undefined || ours === undefined || id === ours;
      if (isOurs(user, process.getuid?.()) && isOurs(group, process.getgid?.())) return;
      throw new FsError('EPERM', path, 'memories belong to who mounts them');
    },
    changeTimes: (path, times, context) => files.changeTimes(requireChangeable(path), times, context),
    setAttribute: (path, name, value, use, context) =>
      files.setAttribute(attributedPlaceAt(path), name, value, use, context),
    removeAttribute: (path, name, context) => files.removeAttribute(attributedPlaceAt(path), name, context),
    space: () => files.space(),
    search,
    onChange: (listener) => files.onChange(listener),
  };

  function attributedPlaceAt(path: SubPath): MemoryPlace {
    const spot = spotAt(path);
    if (spot?.kind === 'memory') return spot.place;
    const place = spot?.kind === 'review' ? files.review.placeOf(spot.name) : undefined;
    if (place !== undefined) return place;
    stat(path);
    throw new FsError('ENOTSUP', path, 'folders of memories have no attributes');
  }
}
