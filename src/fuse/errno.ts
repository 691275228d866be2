import { constants } from 'node:os';
import { type ErrnoCode, FsError } from '../core/errors.ts';

const { errno } = constants;

/** The number of every code on this system: the only map of its kind. */
export const ERRNO: Readonly<Record<ErrnoCode, number>> = {
  EACCES: errno.EACCES,
  EBADF: errno.EBADF,
  EBUSY: errno.EBUSY,
  EDQUOT: errno.EDQUOT,
  EEXIST: errno.EEXIST,
  EFBIG: errno.EFBIG,
  EILSEQ: errno.EILSEQ,
  EINVAL: errno.EINVAL,
  EIO: errno.EIO,
  EISDIR: errno.EISDIR,
  ELOOP: errno.ELOOP,
  EMLINK: errno.EMLINK,
  ENAMETOOLONG: errno.ENAMETOOLONG,
  ENFILE: errno.ENFILE,
  ENODATA: errno.ENODATA,
  ENOENT: errno.ENOENT,
  ENOSPC: errno.ENOSPC,
  ENOTDIR: errno.ENOTDIR,
  ENOTEMPTY: errno.ENOTEMPTY,
  ENOTSUP: errno.ENOTSUP,
  ENXIO: errno.ENXIO,
  EOVERFLOW: errno.EOVERFLOW,
  EPERM: errno.EPERM,
  ERANGE: errno.ERANGE,
  EROFS: errno.EROFS,
  ETIMEDOUT: errno.ETIMEDOUT,
  ETXTBSY: errno.ETXTBSY,
  EXDEV: errno.EXDEV,
};

/** Takes what was thrown and is no FsError, with the operation it happened in: a bug, to be kept with its stack. */
export type BugReporter = (error: unknown, operation: string) => void;

/** A reporter that never throws, so that what is under way goes on: the next notice, the next comparison, the answer to the caller. */
export function unfailing(report: BugReporter): BugReporter {
  return (error, operation) => {
    try {
      report(error, operation);
    } catch {
      // One that fails has nobody to tell.
    }
  };
}

/** What a failed operation answers, positive. Anything but an FsError is reported and answered with EIO. */
export function errnoOf(error: unknown, operation: string, report: BugReporter): number {
  if (error instanceof FsError) return ERRNO[error.code];
  report(error, operation);
  return ERRNO.EIO;
}
