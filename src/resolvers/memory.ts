import type { ErrorLog } from '../core/error-log.ts';
import { type ErrnoCode, FsError, isFsError } from '../core/errors.ts';
import { MEMORY_TYPES, type MemoryPlace } from '../core/memory-entry.ts';
import { folderInfo, msToNs } from '../core/node-info.ts';
import type { SubPath } from '../core/paths.ts';
import type { DirEntry, Hit, NodeInfo, Query, Resolver } from '../core/resolver.ts';
import type { MemoryFiles, PlacedFiles } from '../memory/memory-files.ts';

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

/** A file or folder of memory, and how it is come by. */
interface Target {
  readonly place: MemoryPlace;
  readonly files: PlacedFiles;
}

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

  /** What memory keeps behind a spot; nothing behind the folders that are parts of the tree, and those of review. */
  function targetOf(spot: Spot | undefined): Target | undefined {
    if (spot?.kind === 'memory') return { place: spot.place, files };
    const place = spot?.kind === 'review' ? files.review.placeOf(spot.name) : undefined;
    return place && { place, files: files.review.files };
  }

  /** @throws FsError ENOENT, ENOTDIR; `code` for a folder that memory does not keep */
  function targetAt(path: SubPath, code: ErrnoCode, why: string): Target {
    const target = targetOf(spotAt(path));
    if (target !== undefined) return target;
    stat(path);
    throw new FsError(code, path, why);
  }

  function fileAt(path: SubPath): Target {
    return targetAt(path, 'EISDIR', 'this is a folder');
  }

  function shownAt(path: SubPath): Target {
    return targetAt(path, 'EPERM', 'this folder is a part of the tree');
  }

  function attributedAt(path: SubPath): Target {
    return targetAt(path, 'ENOTSUP', 'folders of memories have no attributes');
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
    return succeeds(() => files.stat(place));
  }

  function isThereAt(path: SubPath): boolean {
    return succeeds(() => stat(path));
  }

  function succeeds(look: () => NodeInfo): boolean {
    try {
      look();
      return true;
    } catch (error) {
      if (isFsError(error, 'ENOENT')) return false;
      throw error;
    }
  }

  /** What is to be moved or removed. @throws FsError EBUSY for a part of the tree */
  function movableAt(path: SubPath): Target {
    const spot = spotAt(path);
    const isPart =
      spot?.kind === 'fixed' || (spot?.kind === 'memory' && spot.place.key === '') || path === 'review';
    if (isPart) throw new FsError('EBUSY', path, 'this folder is a part of the tree');
    if (spot?.kind === 'review' && targetOf(spot) === undefined && files.review.list(spot.name)) {
      return refuse('EACCES', path, 'folders of what waits for review come and go with what is in them');
    }
    return fileAt(path);
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
    const target = targetOf(spot);
    if (target !== undefined) return target.files.stat(target.place);
    if (spot.kind !== 'review') return nothing(path);
    if (files.review.list(spot.name) === undefined) return notInReview(path, spot.name);
    return { ...folderInfo(files.review.modifiedNs()), mode: PRIVATE_FOLDER_MODE };
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
    open(path, context) {
      const { place } = fileAt(path);
      return files.open(place, context);
    },
    attributes(path) {
      const target = targetOf(spotAt(path));
      if (target !== undefined) return files.attributes(target.place);
      stat(path);
      return new Map();
    },
    openToWrite(path, options, context) {
      const target = fileAt(path);
      return target.files.openToWrite(target.place, options, context);
    },
    create(path, options, context) {
      const target = targetOf(spotAt(path)) ?? { place: newPlaceAt(path), files };
      return target.files.create(target.place, options, context);
    },
    truncate(path, sizeBytes, context) {
      const target = fileAt(path);
      target.files.truncate(target.place, sizeBytes, context);
    },
    makeFolder: (path, mode) => files.makeFolder(newPlaceAt(path), mode),
    removeFolder(path) {
      const { place } = movableAt(path);
      if (spotAt(path)?.kind === 'review') throw new FsError('ENOTDIR', path, 'this is no folder');
      files.removeFolder(place);
    },
    remove(path, context) {
      const { place } = fileAt(path);
      const spot = spotAt(path);
      if (spot?.kind === 'review') files.review.reject(spot.name, context);
      else files.remove(place, context);
    },
    rename(from, to, context, use) {
      const { place } = movableAt(from);
      if (use === 'exchange') throw new FsError('EINVAL', from, 'names of memories cannot be exchanged');
      if (use === 'keep' && isThereAt(to)) {
        throw new FsError('EEXIST', to, 'there is something of this name already');
      }
      const source = spotAt(from);
      const target = spotAt(to);
      if (from === to) stat(from);
      else if (target?.kind === 'review' && target.name !== '') {
        refuse('EACCES', to, 'set the tag needs_review to have a memory reviewed');
      } else if (target !== undefined && (target.kind !== 'memory' || target.place.key === '')) {
        throw new FsError('EBUSY', to, 'this folder is a part of the tree');
      } else if (source?.kind === 'review') files.review.accept(source.name, newPlaceAt(to), context);
      else files.rename(place, newPlaceAt(to), context);
    },
    link(existing, path) {
      stat(existing);
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
    changeMode(path, mode) {
      const target = shownAt(path);
      target.files.changeMode(target.place, mode);
    },
    changeOwner(path, { user, group }) {
      stat(path);
      const isOurs = (id: number | undefined, ours: number | undefined): boolean =>
        id === undefined || ours === undefined || id === ours;
      if (isOurs(user, process.getuid?.()) && isOurs(group, process.getgid?.())) return;
      throw new FsError('EPERM', path, 'memories belong to who mounts them');
    },
    changeTimes(path, times, context) {
      const target = shownAt(path);
      target.files.changeTimes(target.place, times, context);
    },
    setAttribute(path, name, value, use, context) {
      const target = attributedAt(path);
      target.files.setAttribute(target.place, name, value, use, context);
    },
    removeAttribute(path, name, context) {
      const target = attributedAt(path);
      target.files.removeAttribute(target.place, name, context);
    },
    syncFolder: () => files.sync(),
    space: () => files.space(),
    search,
    onChange: (listener) => files.onChange(listener),
  };
}
