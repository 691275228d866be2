import { isNoRoom, type NoRoom } from './room.ts';

/** The errno names a kgraphfs operation can answer with; `errno(3)` says what each means. */
const ERRNO_CODES = [
  'EACCES',
  'EBADF',
  'EBUSY',
  'EDQUOT',
  'EEXIST',
  'EFBIG',
  'EILSEQ',
  'EINVAL',
  'EIO',
  'EISDIR',
  'ELOOP',
  'EMLINK',
  'ENAMETOOLONG',
  'ENFILE',
  'ENODATA',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'ENOTEMPTY',
  'ENOTSUP',
  'ENXIO',
  'EOVERFLOW',
  'EPERM',
  'ERANGE',
  'EROFS',
  'ETIMEDOUT',
  'ETXTBSY',
  'EXDEV',
] as const;
export type ErrnoCode = (typeof ERRNO_CODES)[number];

const KNOWN_CODES: ReadonlySet<unknown> = new Set(ERRNO_CODES);

export function isErrnoCode(code: unknown): code is ErrnoCode {
  return KNOWN_CODES.has(code);
}

/**
 * A refusal that reaches the caller as an errno. Anything else thrown inside an operation, but for a {@link FullDiskError}, is a bug: it is
 * logged with its stack and answered with EIO. A refusal has no stack: it is an ordinary answer, such as ENOENT for a missing name, and
 * recording a stack would cost several times as much as the operation itself.
 */
export class FsError extends Error {
  override readonly name = 'FsError';

  /**
   * @param code what the caller's system call fails with
   * @param path the path as the caller wrote it, absolute within the mount; empty where it is about none
   * @param why a clause for a person: what is wrong and, where there is one, the way out
   */
  constructor(
    readonly code: ErrnoCode,
    readonly path: string,
    readonly why: string,
    options?: { cause: unknown },
  ) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(path === '' ? `${code}: ${why}` : `${code}: ${path}: ${why}`, options);
    Error.stackTraceLimit = limit;
  }
}

/** True where `error` is an {@link FsError} with one of these codes. */
export function isFsError(error: unknown, ...codes: ErrnoCode[]): error is FsError {
  return error instanceof FsError && (codes.length === 0 || codes.includes(error.code));
}

/**
 * Errors of disks that Node has no names for, by their `errno`; the meanings are those of strerror(3). Node gives such an error the code
 * `Unknown system error -122` and says that twice in the message; some calls, such as writeSync, say `UNKNOWN` instead.
 */
const NAMELESS: ReadonlyMap<unknown, { readonly name: string; readonly meaning: string }> = new Map([
  [-116, { name: 'ESTALE', meaning: 'stale file handle' }],
  [-117, { name: 'EUCLEAN', meaning: 'structure needs cleaning' }],
  [-122, { name: 'EDQUOT', meaning: 'disk quota exceeded' }],
]);
const NAMELESS_TEXT = /^(?:Unknown system error (-\d+): Unknown system error \1|UNKNOWN: unknown error)/;

/** The errno name of an error thrown by a system call; undefined for anything else. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined;
  const { code } = error;
  return typeof code === 'string' ? (NAMELESS.get(numberOf(error))?.name ?? code) : undefined;
}

function numberOf(error: Error): unknown {
  return 'errno' in error ? error.errno : undefined;
}

/** Exit statuses of the command line for failures. `failed` also means that nothing was found, `interrupted` that a signal stopped the command. */
export const EXIT = { failed: 1, wrongUsage: 2, cannotMount: 3, interrupted: 130 } as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** An error a person can act on: the command line prints its message alone and ends with its status. */
export class UserError extends Error {
  override readonly name: string = 'UserError';

  constructor(
    message: string,
    readonly exitStatus: ExitStatus = EXIT.failed,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }
}

/** The disk has no room, or the user no quota left, for what has to be stored. */
export class FullDiskError extends UserError {
  override readonly name = 'FullDiskError';

  constructor(
    message: string,
    readonly noRoom: NoRoom,
    options?: { cause: unknown },
  ) {
    super(message, EXIT.failed, options);
  }
}

/** The code for something thrown that is not an {@link FsError}: what the operation fails with, and what errors.jsonl shows. */
export function codeOfFailure(error: unknown): ErrnoCode {
  if (error instanceof FullDiskError) return error.noRoom;
  const code = systemCodeOf(error);
  if (isNoRoom(code)) return code;
  return tooManyOpenIn(error) === undefined ? 'EIO' : 'ENFILE';
}

/** Which limit of open files an error is about; undefined for any other error. An error of another thread, or of one that could not start, only says so in its text. */
export function tooManyOpenIn(error: unknown): 'EMFILE' | 'ENFILE' | undefined {
  const told = /\b(?:EMFILE|ENFILE)\b/.exec(systemCodeOf(error) ?? reasonOf(error))?.[0];
  return told === 'EMFILE' || told === 'ENFILE' ? told : undefined;
}

/** The text of whatever was thrown. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An error from another thread has lost all but its text, so the number is taken from that.
  return error.message.replace(NAMELESS_TEXT, (text, told: string | undefined) => {
    const named = NAMELESS.get(told === undefined ? numberOf(error) : Number(told));
    return named === undefined ? text : `${named.name}: ${named.meaning}`;
  });
}
