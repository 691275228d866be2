import { type ErrnoCode, FsError, systemCodeOf } from '../core/errors.ts';

/** How an error of the disk reads to a person. Node's own message would name a path of this process. */
const REASONS: Partial<Record<string, readonly [ErrnoCode, string]>> = {
  EACCES: ['EACCES', 'the permissions of this file, or of a folder above it, do not allow that'],
  EBADF: ['EBADF', 'this file is not open for that'],
  EBUSY: ['EBUSY', 'this is in use'],
  EDQUOT: ['EDQUOT', 'the disk below the scratchpad has a quota for this user, and it is used up'],
  EEXIST: ['EEXIST', 'there is already something with this name'],
  EFBIG: ['EFBIG', 'this file is too large for the disk below the scratchpad'],
  EILSEQ: ['EILSEQ', 'names are UTF-8 text; these bytes are not'],
  EINVAL: ['EINVAL', 'this is not possible with what lies here'],
  EISDIR: ['EISDIR', 'this is a folder'],
  ELOOP: ['ELOOP', 'this is a link; a link is read, not opened'],
  EMFILE: ['ENFILE', 'kgraphfs has too many files open'],
  EMLINK: ['EMLINK', 'this has as many names as the disk allows'],
  ENAMETOOLONG: ['ENAMETOOLONG', 'this name is too long for the disk'],
  ENFILE: ['ENFILE', 'this machine has too many files open'],
  ENODATA: ['ENODATA', 'there is no attribute with this name'],
  ENOENT: ['ENOENT', 'there is no such file in the scratchpad'],
  ENOSPC: ['ENOSPC', 'the disk below the scratchpad is full'],
  ENOTDIR: ['ENOTDIR', 'a part of this path is not a folder'],
  ENOTEMPTY: ['ENOTEMPTY', 'this folder is not empty'],
  ENOTSUP: ['ENOTSUP', 'the disk below the scratchpad does not know this'],
  ENXIO: ['ENXIO', 'this is not a file'],
  EOVERFLOW: ['EOVERFLOW', 'this number is too large'],
  EPERM: ['EPERM', 'the user of this mount may not do that'],
  ERANGE: ['ERANGE', 'this name of an attribute is too long for the disk'],
  EROFS: ['EROFS', 'the disk below the scratchpad is mounted read-only'],
  ETXTBSY: ['ETXTBSY', 'this program is running'],
  EXDEV: ['EXDEV', 'this is another disk; copy and remove instead'],
  // Node refuses a text with a NUL before it asks the disk.
  ERR_INVALID_ARG_VALUE: ['EINVAL', 'a text of the disk cannot hold a NUL character'],
};

/**
 * The refusal that stands for a failed system call. An {@link FsError} is returned as it is. So is an error that is neither: it is a bug, and says nothing
 * about the disk.
 */
export function refusalOf(error: unknown, path: string): unknown {
  if (error instanceof FsError) return error;
  const code = systemCodeOf(error) ?? argumentCodeOf(error);
  if (code === undefined) return error;
  const [errno, why] = REASONS[code] ?? ['EIO', `the disk below the scratchpad failed (${code})`];
  return new FsError(errno, path, why, { cause: error });
}

/** Runs an action on the disk and returns its result. Its errors are thrown as refusals. */
export function refusing<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw refusalOf(error, path);
  }
}

function argumentCodeOf(error: unknown): string | undefined {
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_ARG_VALUE'
    ? error.code
    : undefined;
}
