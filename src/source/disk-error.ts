import { type ErrnoCode, FsError, isFsError, reasonOf, systemCodeOf } from '../core/errors.ts';

/** What a person reads of a disk's refusal. Node's own message names a path of this process instead. */
const REASONS: Partial<Record<string, readonly [ErrnoCode, string]>> = {
  EACCES: ['EACCES', 'the docs folder on disk does not let this user read it'],
  EPERM: ['EACCES', 'the docs folder on disk does not let this user read it'],
  ENOENT: ['ENOENT', 'there is no such file in the docs folder'],
  ENOTDIR: ['ENOTDIR', 'a part of this path is no folder'],
  ELOOP: ['ELOOP', 'this is a link; a link is read, not opened'],
  ENXIO: ['ENOENT', 'there is no such file in the docs folder'],
  ENAMETOOLONG: ['ENAMETOOLONG', 'the disk takes no name this long'],
  EAGAIN: ['EBUSY', 'another program holds this file, such as a server of files for one of its clients'],
  EMFILE: ['ENFILE', 'kgraphfs has too many files open'],
  ENFILE: ['ENFILE', 'this machine has too many files open'],
};

/**
 * The refusal that stands for a failed system call; an {@link FsError} is returned as it is, and so is what is
 * neither, which is a bug and no answer of the disk.
 */
export function refusalOf(error: unknown, path: string): unknown {
  const errno = systemCodeOf(error);
  if (error instanceof FsError || errno === undefined) return error;
  const [code, why] = REASONS[errno] ?? ['EIO', `the disk failed to read this (${errno})`];
  return new FsError(code, path, why, { cause: error });
}

/** What `action` gives. @throws FsError where the disk refuses it, as {@link refusalOf} */
export function refusing<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw refusalOf(error, path);
  }
}

/** The reason alone, for a report. */
export function diskReasonOf(error: unknown): string {
  const refusal = refusalOf(error, '');
  return refusal instanceof FsError ? refusal.why : reasonOf(error);
}

/** Whether the disk failed, or whoever serves it: that says nothing of what is there, neither that it is gone nor that it is closed to us. */
export function isDiskFailure(error: unknown): boolean {
  return isFsError(refusalOf(error, ''), 'EIO');
}

/** Whether nobody could look, for want of descriptors: that says nothing of what is on disk. */
export function isOutOfFiles(error: unknown): boolean {
  const errno = systemCodeOf(error);
  return errno === 'EMFILE' || errno === 'ENFILE' || isFsError(error, 'ENFILE');
}
