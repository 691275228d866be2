import { constants } from 'node:fs';
import { constants as osConstants } from 'node:os';
import {
  AT_EMPTY_PATH,
  AT_SYMLINK_NOFOLLOW,
  checked,
  lastErrno,
  O_CLOEXEC,
  systemError,
  unchecked,
} from './libc.ts';
import { NS_PER_SECOND } from './timespec.ts';

/**
 * Operations on files by the descriptor of a folder and a name in it: system calls that Node lacks, or has only for whole paths. `Now` in a name says that a
 * failure is returned, as the negative errno, and not thrown: these are for places where failing is common. No path may hold a NUL.
 */

/** `O_PATH`, from Linux's fcntl.h: a descriptor that stands for a file without opening it. It needs no permission for the file. */
export const O_PATH = 0o10000000;
/** `AT_FDCWD`: passed to a call as the folder of an absolute path. */
export const NO_FOLDER = -100;
const AT_REMOVEDIR = 0x200;

const { ELOOP, ENOENT, ENOSYS, ENOTDIR, EPERM, EXDEV } = osConstants.errno;
const SYS_OPENAT2 = 437;
/** `RESOLVE_NO_MAGICLINKS`, `RESOLVE_NO_SYMLINKS` and `RESOLVE_BENEATH` of openat2(2). */
const BELOW_WITHOUT_LINKS = 0x02 | 0x04 | 0x08;
const FOLDER_FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A third of `PATH_MAX`, since a UTF-16 unit takes at most three bytes in UTF-8. */
const PIECE_UNITS = 1300;

const openat = unchecked<[folder: number, name: string, flags: number, mode: number]>(
  'int openat(int folder, const char* name, int flags, unsigned int mode)',
);
const close = unchecked<[descriptor: number]>('int close(int descriptor)');
const openat2 = unchecked<[call: number, folder: number, path: string, how: Uint8Array, sizeBytes: number]>(
  'int64_t syscall(int64_t call, int64_t folder, const char* path, uint8_t* how, size_t size)',
);
/** `struct open_how`: flags, mode and how names are resolved, of 64 bits each. Calls do not overlap, so one buffer is enough. */
const openHow = Buffer.alloc(24);
openHow.writeUInt32LE(BELOW_WITHOUT_LINKS, 16);
let hasOpenat2 = true;

/** close(2). Errors that the disk reports only now are lost: call fsync(2) first to learn of them. */
export function closeNow(descriptor: number): void {
  close(descriptor);
}

const dup3 = checked<[from: number, to: number, flags: number]>('int dup3(int from, int to, int flags)');

/** dup3(2): makes a descriptor lead to where another one does, closed on exec. @throws Error with a `code` */
export function replaceDescriptor(descriptor: number, by: number): void {
  dup3(by, descriptor, O_CLOEXEC);
}

/** openat(2), closed on exec. */
function openAtNow(folder: number, name: string, flags: number, mode = 0): number {
  const descriptor = openat(folder, name, flags | O_CLOEXEC, mode);
  return descriptor < 0 ? -lastErrno() : descriptor;
}

/** openat(2), closed on exec. @throws Error with a `code` */
export function openAt(folder: number, name: string, flags: number, mode = 0): number {
  return openedOr(openAtNow(folder, name, flags, mode));
}

/**
 * Opens what lies at a path below a folder. No link is followed and `..` does not lead out, whatever others put in the way meanwhile: a link on the way counts
 * as something that is no folder (ENOTDIR). Paths may be longer than the kernel takes at once.
 * @param path relative, not empty
 * @param flags flags of open(2) that make no file
 */
export function openBelowNow(folder: number, path: string, flags: number): number {
  let base = folder;
  let rest = path;
  while (rest.length > PIECE_UNITS) {
    const end = rest.lastIndexOf('/', PIECE_UNITS);
    if (end <= 0) break;
    const next = openPiece(base, rest.slice(0, end), FOLDER_FLAGS);
    if (base !== folder) close(base);
    if (next < 0) return next;
    base = next;
    rest = rest.slice(end + 1);
  }
  const opened = openPiece(base, rest, flags);
  if (base !== folder) close(base);
  return opened;
}

/** As {@link openBelowNow}. @throws Error with a `code` */
export function openBelow(folder: number, path: string, flags: number): number {
  return openedOr(openBelowNow(folder, path, flags));
}

function openPiece(folder: number, path: string, flags: number): number {
  if (hasOpenat2) {
    openHow.writeUInt32LE(flags | O_CLOEXEC, 0);
    const descriptor = openat2(SYS_OPENAT2, folder, path, openHow, openHow.length);
    if (descriptor >= 0) return descriptor;
    const errno = lastErrno();
    if (errno === ELOOP) return -ENOTDIR;
    // The path was found, but was moved out of the folder meanwhile.
    if (errno === EXDEV) return -ENOENT;
    // The kernel is older than 5.6, or the container does not allow the call.
    if (errno !== ENOSYS && errno !== EPERM) return -errno;
    hasOpenat2 = false;
  }
  return walkBelow(folder, path, flags);
}

/** {@link openBelowNow} for a kernel without openat2(2): opens one name after the other, and follows none of them. */
export function walkBelow(folder: number, path: string, flags: number): number {
  const names = path.split('/');
  const last = names.pop() ?? '';
  let base = folder;
  for (const name of names) {
    const next = name === '..' ? -ENOTDIR : openAtNow(base, name, FOLDER_FLAGS);
    if (base !== folder) close(base);
    if (next < 0) return next;
    base = next;
  }
  const opened = last === '..' ? -ENOTDIR : openAtNow(base, last, flags | constants.O_NOFOLLOW);
  if (base !== folder) close(base);
  return opened;
}

function openedOr(descriptor: number): number {
  if (descriptor < 0) throw systemError(-descriptor, 'open');
  return descriptor;
}

const readlinkat = unchecked<[folder: number, name: string, text: Uint8Array, sizeBytes: number]>(
  'int64_t readlinkat(int folder, const char* name, uint8_t* text, size_t size)',
);
/** `PATH_MAX`: no link is longer. */
const LINK_BYTES = 4096;

/** readlink(2) of what a descriptor of O_PATH stands for; undefined if that is no link. */
export function linkTextOf(descriptor: number): string | undefined {
  const text = Buffer.alloc(LINK_BYTES);
  const sizeBytes = readlinkat(descriptor, '', text, text.length);
  return sizeBytes < 0 ? undefined : text.toString('utf8', 0, sizeBytes);
}

/** mkdirat(2). */
export const makeFolderAt = checked<[folder: number, name: string, mode: number]>(
  'int mkdirat(int folder, const char* name, unsigned int mode)',
);

/** mknodat(2). @param mode with the bits of the file's type */
export const makeNodeAt = checked<[folder: number, name: string, mode: number, device: number]>(
  'int mknodat(int folder, const char* name, unsigned int mode, uint64_t device)',
);

/** symlinkat(2). */
export const makeLinkAt = checked<[text: string, folder: number, name: string]>(
  'int symlinkat(const char* text, int folder, const char* name)',
);

const linkat = checked<[fromFolder: number, from: string, toFolder: number, to: string, flags: number]>(
  'int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags)',
);

/** linkat(2). If the name is a link, the link itself gets another name. */
export function linkAt(fromFolder: number, from: string, toFolder: number, to: string): void {
  linkat(fromFolder, from, toFolder, to, 0);
}

/** renameat2(2), with its flags. */
export const renameAt = checked<
  [fromFolder: number, from: string, toFolder: number, to: string, flags: number]
>('int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned int flags)');

const unlinkat = checked<[folder: number, name: string, flags: number]>(
  'int unlinkat(int folder, const char* name, int flags)',
);

/** unlink(2). */
export function removeAt(folder: number, name: string): void {
  unlinkat(folder, name, 0);
}

/** rmdir(2). */
export function removeFolderAt(folder: number, name: string): void {
  unlinkat(folder, name, AT_REMOVEDIR);
}

const fchownat = checked<[folder: number, name: string, user: number, group: number, flags: number]>(
  'int fchownat(int folder, const char* name, unsigned int user, unsigned int group, int flags)',
);
/** `(uid_t) -1` of chown(2). */
const UNCHANGED = 0xffff_ffff;

/** lchown(2) of a name. A user or group that is undefined stays. */
export function changeOwnerAt(
  folder: number,
  name: string,
  user: number | undefined,
  group: number | undefined,
): void {
  fchownat(folder, name, user ?? UNCHANGED, group ?? UNCHANGED, AT_SYMLINK_NOFOLLOW);
}

/** fchown(2), also for a descriptor of O_PATH. A user or group that is undefined stays. */
export function changeOwnerOf(descriptor: number, user: number | undefined, group: number | undefined): void {
  fchownat(descriptor, '', user ?? UNCHANGED, group ?? UNCHANGED, AT_EMPTY_PATH);
}

const utimensat = checked<[folder: number, path: string, times: Uint8Array, flags: number]>(
  'int utimensat(int folder, const char* path, uint8_t* times, int flags)',
);
const UTIME_NOW = 0x3fffffffn;
const UTIME_OMIT = 0x3ffffffen;

/** Nanoseconds since 1970, or the present time by the disk's clock. */
type TimeNs = bigint | 'now';

/** utimensat(2) of what an absolute path leads to. A time that is undefined stays as it is; `now` is the present time by the disk's clock. */
export function setTimes(path: string, accessedNs: TimeNs | undefined, modifiedNs: TimeNs | undefined): void {
  const times = Buffer.alloc(32);
  for (const [index, time] of [accessedNs, modifiedNs].entries()) {
    const [seconds, restNs] = timespecOf(time);
    times.writeBigInt64LE(seconds, index * 16);
    times.writeBigInt64LE(restNs, index * 16 + 8);
  }
  utimensat(NO_FOLDER, path, times, 0);
}

function timespecOf(time: TimeNs | undefined): [seconds: bigint, restNs: bigint] {
  if (time === undefined) return [0n, UTIME_OMIT];
  if (time === 'now') return [0n, UTIME_NOW];
  const restNs = ((time % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND;
  return [(time - restNs) / NS_PER_SECOND, restNs];
}
