import type { Owner } from '../core/changes.ts';
import type { ErrorLog } from '../core/error-log.ts';
import { type ErrnoCode, FsError, isFsError } from '../core/errors.ts';
import { PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { MEMORY_TYPES, type MemoryPlace } from '../core/memory-entry.ts';
import { folderInfo, msToNs } from '../core/node-info.ts';
import type { SubPath } from '../core/paths.ts';
import type { DirEntry, NodeInfo } from '../core/resolver.ts';
import type { MemoryFiles, PlacedFiles } from './memory-files.ts';
import { requireOurs } from './memory-owner.ts';
import { isTemporaryKey, NAME_ALONE } from './temporary-name.ts';

/** What a path leads to. */
type ResolvedPath =
  | { readonly kind: 'fixed'; readonly names: readonly string[] }
  | { readonly kind: 'memory'; readonly place: MemoryPlace }
  | { readonly kind: 'review'; readonly name: string };

/** A file or folder of memory, and the files through which it is reached. */
interface Target {
  readonly place: MemoryPlace;
  readonly files: PlacedFiles;
}

interface MemoryPathsParts {
  readonly files: MemoryFiles;
  /** Is told of refusals whose reason nobody can guess from the errno. */
  readonly errors: ErrorLog;
  /** When the tree was made: the time of folders that never change. */
  readonly startedMs: number;
}

const FIXED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['', ['memory', 'review']],
  ['memory', MEMORY_TYPES],
]);

/** Finds what the paths below `context/` lead to: folders of the tree itself, memories, and in `review/` once more those memories that wait for review. */
export class MemoryPaths {
  readonly #files: MemoryFiles;
  readonly #errors: ErrorLog;
  readonly #startedNs: bigint;

  constructor({ files, errors, startedMs }: MemoryPathsParts) {
    this.#files = files;
    this.#errors = errors;
    this.#startedNs = msToNs(startedMs);
  }

  at(path: SubPath): ResolvedPath | undefined {
    const names = FIXED.get(path);
    if (names !== undefined) return { kind: 'fixed', names };
    if (path === 'review' || path.startsWith('review/')) return { kind: 'review', name: path.slice(7) };
    const type = MEMORY_TYPES.find((type) => path === `memory/${type}` || path.startsWith(`memory/${type}/`));
    return type && { kind: 'memory', place: { type, key: path.slice(`memory/${type}/`.length) } };
  }

  /** @throws FsError ENOENT, ENOTDIR */
  stat(path: SubPath): NodeInfo {
    const resolved = this.at(path);
    if (resolved === undefined) return nothing(path);
    if (resolved.kind === 'fixed') return { ...folderInfo(this.#startedNs), mode: PRIVATE_FOLDER_MODE };
    const target = this.#targetOf(resolved);
    if (target !== undefined) return target.files.stat(target.place);
    if (resolved.kind !== 'review') return nothing(path);
    const { review } = this.#files;
    if (review.list(resolved.name) === undefined) return this.#notInReview(path, resolved.name);
    return { ...folderInfo(review.modifiedNs()), mode: PRIVATE_FOLDER_MODE };
  }

  /** @throws FsError ENOENT, ENOTDIR */
  list(path: SubPath): readonly DirEntry[] {
    const resolved = this.at(path);
    if (resolved === undefined) return nothing(path);
    if (resolved.kind === 'fixed') return resolved.names.map((name) => ({ name, kind: 'directory' }));
    const files = this.#files;
    if (resolved.kind === 'memory') return files.list(resolved.place);
    const listed = files.review.list(resolved.name);
    if (listed !== undefined) return listed;
    if (files.review.placeOf(resolved.name)) throw new FsError('ENOTDIR', path, 'this is not a folder');
    return this.#notInReview(path, resolved.name);
  }

  isThere(path: SubPath): boolean {
    return succeeds(() => this.stat(path));
  }

  /** What memory has at a path; undefined for the folders of the tree itself, and those of review. */
  targetAt(path: SubPath): Target | undefined {
    return this.#targetOf(this.at(path));
  }

  /** A file to read or write. If it is a folder of memory, memory itself refuses that. @throws FsError ENOENT, ENOTDIR, EISDIR */
  fileAt(path: SubPath): Target {
    return this.#keptAt(path, 'EISDIR', 'this is a folder');
  }

  /** Something that has a mode and times of its own. @throws FsError ENOENT, ENOTDIR, EPERM */
  ownAt(path: SubPath): Target {
    return this.#keptAt(path, 'EPERM', 'this folder is a part of the tree');
  }

  /** Something that can have attributes. @throws FsError ENOENT, ENOTDIR, ENOTSUP */
  attributedAt(path: SubPath): Target {
    return this.#keptAt(path, 'ENOTSUP', 'folders of memories have no attributes');
  }

  /** Something that can be moved or removed. @throws FsError ENOENT, ENOTDIR; EBUSY for a folder of the tree itself, EACCES for a folder of review */
  movableAt(path: SubPath): Target {
    const resolved = this.at(path);
    const isPart =
      resolved?.kind === 'fixed' ||
      (resolved?.kind === 'memory' && resolved.place.key === '') ||
      path === 'review';
    if (isPart) throw new FsError('EBUSY', path, 'this folder is a part of the tree');
    if (
      resolved?.kind === 'review' &&
      this.#targetOf(resolved) === undefined &&
      this.#files.review.list(resolved.name)
    ) {
      return this.refuse('EACCES', path, 'folders of what waits for review come and go with what is in them');
    }
    return this.fileAt(path);
  }

  /** The place of something that is to be made or replaced. @throws FsError EACCES if nothing can be made there, EEXIST for a folder of the tree itself */
  newPlaceAt(path: SubPath): MemoryPlace {
    const resolved = this.at(path);
    if (resolved?.kind === 'memory' && resolved.place.key !== '') return resolved.place;
    if (resolved?.kind === 'review') {
      const { review } = this.#files;
      if (review.placeOf(resolved.name) ?? review.list(resolved.name)) {
        throw new FsError('EEXIST', path, 'there is already something with this name');
      }
      return this.refuse(
        'EACCES',
        path,
        'what waits for review is in memory/ with the tag needs_review; write it there',
      );
    }
    if (resolved !== undefined)
      throw new FsError('EEXIST', path, 'there is already something with this name');
    return this.refuse(
      'EACCES',
      path,
      `memories are kept in memory/{${MEMORY_TYPES.join()}}, and in no other folder here`,
    );
  }

  /** The place for a new name. @throws FsError EEXIST, ENOENT, ENOTDIR, EACCES, like link(2) and its kin */
  freePlaceAt(path: SubPath): MemoryPlace {
    const place = this.newPlaceAt(path);
    const end = place.key.lastIndexOf('/');
    this.#files.list({ type: place.type, key: place.key.slice(0, Math.max(0, end)) });
    if (succeeds(() => this.#files.stat(place))) {
      throw new FsError('EEXIST', path, 'there is already something with this name');
    }
    return place;
  }

  /** chown(2) is refused unless it changes nothing. @throws FsError EPERM */
  requireOurs(path: SubPath, owner: Owner): void {
    requireOurs(owner, path);
  }

  /** Refuses an operation, and logs the reason, which nobody can guess. @throws FsError always */
  refuse(code: ErrnoCode, path: string, why: string): never {
    this.#errors.add({ code, path: `/context/${path}`, message: why });
    throw new FsError(code, path, why);
  }

  /** Refuses to make something other than a file or a folder. @throws FsError EPERM; for a name that is not free, the code that link(2) has for it */
  refuseNode(path: SubPath, what: string): never {
    const { key } = this.freePlaceAt(path);
    const why = `memories are plain files: there are no ${what} here; the scratchpad has them`;
    // An editor that gets no link for its lock makes a file instead, so nothing is wrong.
    if (isTemporaryKey(key, NAME_ALONE)) throw new FsError('EPERM', path, why);
    return this.refuse('EPERM', path, why);
  }

  #targetOf(resolved: ResolvedPath | undefined): Target | undefined {
    const files = this.#files;
    if (resolved?.kind === 'memory') return { place: resolved.place, files };
    const place = resolved?.kind === 'review' ? files.review.placeOf(resolved.name) : undefined;
    return place && { place, files: files.review.files };
  }

  /** @throws FsError ENOENT, ENOTDIR; `code` for a folder that is not one of memory */
  #keptAt(path: SubPath, code: ErrnoCode, why: string): Target {
    const target = this.targetAt(path);
    if (target !== undefined) return target;
    this.stat(path);
    throw new FsError(code, path, why);
  }

  #notInReview(path: SubPath, name: string): never {
    const parents = name.split('/').map((_, index, parts) => parts.slice(0, index).join('/'));
    if (parents.some((parent) => this.#files.review.placeOf(parent) !== undefined)) {
      throw new FsError('ENOTDIR', path, 'a part of this path is not a folder');
    }
    return nothing(path);
  }
}

function nothing(path: string): never {
  throw new FsError('ENOENT', path, 'there is nothing with this name');
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
