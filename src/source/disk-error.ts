import { type ErrnoCode, FsError, isFsError, reasonOf, systemCodeOf } from '../core/errors.ts';

/** How an error of the disk reads to a person. Node's own message would name a path of this process. */
const REASONS: Partial<Record<string, readonly [ErrnoCode, string]>> = {
  EACCES: ['EACCES', 'the docs folder on disk does not let this user read it'],
  EPERM: ['EACCES', 'the docs folder on disk does not let this user read it'],
  ENOENT: ['ENOENT', 'there is no such file in the docs folder'],
  ENOTDIR: ['ENOTDIR', 'a part of this path is not a folder'],
  ELOOP: ['ELOOP', 'this is a link; a link is read, not opened'],
  ENXIO: ['ENOENT', 'there is no such file in the docs folder'],
  ENAMETOOLONG: ['ENAMETOOLONG', 'this name is too long for the disk'],
  EAGAIN: ['EBUSY', 'another program holds this file, such as a server of files for one of its clients'],
  EMFILE: ['ENFILE', 'kgraphfs has too many files open'],
  ENFILE: ['ENFILE', 'this machine has too many files open'],
};

/**
 * The refusal that stands for a failed system call. An {@link FsError} is returned as it is. So is an error that is neither: it is a bug, and says nothing
 * about the disk.
 */
export function refusalOf(error: unknown, path: string): unknown {
  const errno = systemCodeOf(error);
  if (error instanceof FsError || errno === undefined) return error;
  const [code, why] = REASONS[errno] ?? ['EIO', `the disk failed to read this (${errno})`];
  return new FsError(code, path, why, { cause: error });
}

/** Runs `action` and returns its result. @throws FsError if the disk refuses it, as {@link refusalOf} says */
export function refusing<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw refusalOf(error, path);
  }
}

/** The reason alone, to be put into a report. */
export function diskReasonOf(error: unknown): string {
  const refusal = refusalOf(error, '');
  return refusal instanceof FsError ? refusal.why : reasonOf(error);
}

/** Whether the disk, or its server, has failed. Such a failure does not tell whether something is gone or may not be read. */
export function isDiskFailure(error: unknown): boolean {
  return isFsError(refusalOf(error, ''), 'EIO');
}

/** Whether there were no descriptors left to look with. That says nothing about the content of the disk. */
export function isOutOfFiles(error: unknown): boolean {
  const errno = systemCodeOf(error);
  return errno === 'EMFILE' || errno === 'ENFILE' || isFsError(error, 'ENFILE');
}
