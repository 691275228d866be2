import { FsError } from './errors.ts';

declare const vfsPath: unique symbol;
declare const subPath: unique symbol;

/** An absolute, normalised path within the mount: `/` or `/a/b`, without `.`, `..`, empty parts or a final slash. */
export type VfsPath = string & { readonly [vfsPath]: true };

/** A path below a resolver's own root: `` for the root itself, or `a/b`. */
export type SubPath = string & { readonly [subPath]: true };

export const ROOT = '/' as VfsPath;

/** For listeners to changes: everything below a resolver. */
export const ALL_BELOW: readonly SubPath[] = ['' as SubPath];

/** `NAME_MAX` of limits.h: the longest file name, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255;
/** `PATH_MAX` of limits.h without the final NUL, in bytes of UTF-8: the longest path or link target that the kernel takes and libfuse has room for. */
export const MAX_PATH_BYTES = 4095;

/**
 * Normalises a path that comes from outside. A `..` that leads above the root is refused rather than
 * ignored, so that a mistake is seen.
 * @throws FsError EINVAL for a NUL, EILSEQ for text that is not Unicode, ENAMETOOLONG beyond the limits, ENOENT if `..` leads above the root
 */
export function parsePath(text: string): VfsPath {
  if (text.includes('\0')) throw new FsError('EINVAL', text, 'a path cannot hold a NUL character');
  if (!text.isWellFormed() || text.includes('\uFFFD')) {
    throw new FsError('EILSEQ', text, 'names are UTF-8 text; these bytes are not');
  }
  if (text.length > MAX_PATH_BYTES / 4 && Buffer.byteLength(text) > MAX_PATH_BYTES) {
    throw new FsError('ENAMETOOLONG', text, `a path is at most ${MAX_PATH_BYTES} bytes`);
  }
  const parts: string[] = [];
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.pop() === undefined) throw new FsError('ENOENT', text, 'this path leads outside the tree');
      continue;
    }
    if (part.length > MAX_NAME_BYTES / 4 && Buffer.byteLength(part) > MAX_NAME_BYTES) {
      throw new FsError('ENAMETOOLONG', text, `a name is at most ${MAX_NAME_BYTES} bytes`);
    }
    parts.push(part);
  }
  return `/${parts.join('/')}` as VfsPath;
}

/** The names on the way from the root: `/a/b` is `['a', 'b']`, the root is `[]`. */
export function partsOf(path: VfsPath | SubPath): string[] {
  return path.split('/').filter((part) => part !== '');
}

/** The path of `name` inside `folder`. */
export function childOf(folder: VfsPath, name: string): VfsPath {
  return (folder === ROOT ? `/${name}` : `${folder}/${name}`) as VfsPath;
}

/** The folder that holds a path; for the root, the root itself. */
export function parentOf(path: VfsPath): VfsPath {
  const end = path.lastIndexOf('/');
  return end <= 0 ? ROOT : (path.slice(0, end) as VfsPath);
}

/** The rest of `path` below `base`, or undefined if it does not lie there. */
export function below(path: VfsPath, base: VfsPath): SubPath | undefined {
  if (base === ROOT) return path.slice(1) as SubPath;
  if (!path.startsWith(base)) return undefined;
  if (path.length === base.length) return '' as SubPath;
  return path[base.length] === '/' ? (path.slice(base.length + 1) as SubPath) : undefined;
}

/** Whether a path is that of a folder or lies below it. Neither may end with a slash. @param folder every relative path lies within `` */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The path in the whole tree for a path of a resolver that is mounted at `base`. */
export function joinPath(base: VfsPath, path: SubPath): VfsPath {
  return path === '' ? base : childOf(base, path);
}

/** The folder that a relative path lies in; `` for the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
