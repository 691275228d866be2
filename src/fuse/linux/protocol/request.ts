/**
 * What the kernel asks, decoded: the structures `fuse_…_in` of fuse_kernel.h, version 7.31 and later. No I/O. A message that
 * is shorter than its structure, or whose names do not end, throws a RangeError: nothing beyond the message is ever read.
 * Long because each structure has its function here.
 */
import { constants } from 'node:fs';
import { NS_PER_SECOND } from '../../../system/timespec.ts';
import { u32, u64, viewOf } from './words.ts';

/** `struct fuse_in_header`. */
export interface Request {
  readonly opcode: number;
  /** Names the request in its answer. */
  readonly unique: number;
  readonly nodeId: number;
  readonly uid: number;
  readonly gid: number;
  /** Of the thread that asks; 0 where it is in no namespace of ours. */
  readonly pid: number;
  /** The whole message. Good until the handler returns: the next one takes its place. */
  readonly message: Buffer;
  /** The same. */
  readonly view: DataView;
}

const REQUEST_HEADER_BYTES = 40;
/** Where the structure of the operation begins. */
const BODY = REQUEST_HEADER_BYTES;

/** @throws RangeError where the length in the header is not that of the message */
export function decodeRequest(message: Buffer): Request {
  const view = viewOf(message);
  if (u32(view, 0) !== message.length) throw new RangeError('the length of a request is wrong');
  return {
    opcode: u32(view, 4),
    unique: u64(view, 8),
    nodeId: u64(view, 16),
    uid: u32(view, 24),
    gid: u32(view, 28),
    pid: u32(view, 32),
    message,
    view,
  };
}

/** A text that a NUL ends. @returns it, and where what follows begins */
function textAt(message: Buffer, start: number): { text: string; end: number } {
  const end = message.indexOf(0, start);
  if (end < start) throw new RangeError('a name in a request does not end');
  return { text: message.toString('utf8', start, end), end: end + 1 };
}

/** LOOKUP, UNLINK, RMDIR, REMOVEXATTR: a name alone. */
export function decodeName({ message }: Request): string {
  return textAt(message, BODY).text;
}

/** FORGET. @returns how many look-ups the kernel gives back */
export function decodeForget({ view }: Request): number {
  return u64(view, BODY);
}

export interface ForgottenNode {
  readonly nodeId: number;
  readonly lookUps: number;
}

export function decodeBatchForget({ message, view }: Request): ForgottenNode[] {
  const count = u32(view, BODY);
  if (BODY + 8 + count * 16 > message.length) throw new RangeError('a list of nodes is cut off');
  return Array.from({ length: count }, (_, index) => {
    const at = BODY + 8 + index * 16;
    return { nodeId: u64(view, at), lookUps: u64(view, at + 8) };
  });
}

/** `FATTR_…` */
const FATTR = {
  mode: 1 << 0,
  uid: 1 << 1,
  gid: 1 << 2,
  size: 1 << 3,
  atime: 1 << 4,
  mtime: 1 << 5,
  handle: 1 << 6,
  atimeNow: 1 << 7,
  mtimeNow: 1 << 8,
};

export interface SetattrRequest {
  readonly handle?: number;
  readonly sizeBytes?: number;
  readonly mode?: number;
  readonly user?: number;
  readonly group?: number;
  /** Nanoseconds since 1970, or the time of the answer. */
  readonly accessed?: bigint | 'now';
  readonly modified?: bigint | 'now';
}

export function decodeSetattr({ view }: Request): SetattrRequest {
  const valid = u32(view, BODY);
  const has = (bit: number): boolean => (valid & bit) !== 0;
  const time = (bit: number, now: number, at: number, atNs: number): bigint | 'now' | undefined => {
    if (!has(bit)) return undefined;
    return has(now) ? 'now' : timeNs(view, BODY + at, BODY + atNs);
  };
  const accessed = time(FATTR.atime, FATTR.atimeNow, 32, 56);
  const modified = time(FATTR.mtime, FATTR.mtimeNow, 40, 60);
  return {
    ...(has(FATTR.handle) ? { handle: u64(view, BODY + 8) } : {}),
    ...(has(FATTR.size) ? { sizeBytes: u64(view, BODY + 16) } : {}),
    ...(has(FATTR.mode) ? { mode: u32(view, BODY + 68) } : {}),
    ...(has(FATTR.uid) ? { user: u32(view, BODY + 76) } : {}),
    ...(has(FATTR.gid) ? { group: u32(view, BODY + 80) } : {}),
    ...(accessed === undefined ? {} : { accessed }),
    ...(modified === undefined ? {} : { modified }),
  };
}

/** Seconds are signed, of before 1970 too. */
function timeNs(view: DataView, at: number, atNs: number): bigint {
  return view.getBigInt64(at, true) * NS_PER_SECOND + BigInt(u32(view, atNs));
}

export interface SymlinkRequest {
  readonly name: string;
  readonly target: string;
}

export function decodeSymlink({ message }: Request): SymlinkRequest {
  const { text: name, end } = textAt(message, BODY);
  return { name, target: textAt(message, end).text };
}

export interface MakeRequest {
  readonly name: string;
  /** With type bits for MKNOD; the umask is taken off by the kernel. */
  readonly mode: number;
  readonly device: number;
}

export function decodeMknod({ message, view }: Request): MakeRequest {
  return { mode: u32(view, BODY), device: u32(view, BODY + 4), name: textAt(message, BODY + 16).text };
}

export function decodeMkdir({ message, view }: Request): MakeRequest {
  return { mode: u32(view, BODY), device: 0, name: textAt(message, BODY + 8).text };
}

export interface RenameRequest {
  readonly name: string;
  readonly newFolderId: number;
  readonly newName: string;
  /** `RENAME_…` of renameat2(2). */
  readonly flags: number;
}

export function decodeRename({ message, view }: Request): RenameRequest {
  return { newFolderId: u64(view, BODY), flags: 0, ...twoNames(message, BODY + 8) };
}

export function decodeRename2({ message, view }: Request): RenameRequest {
  return {
    newFolderId: u64(view, BODY),
    flags: u32(view, BODY + 8),
    ...twoNames(message, BODY + 16),
  };
}

function twoNames(message: Buffer, at: number): { name: string; newName: string } {
  const { text: name, end } = textAt(message, at);
  return { name, newName: textAt(message, end).text };
}

export interface LinkRequest {
  readonly existingId: number;
  readonly name: string;
}

export function decodeLink({ message, view }: Request): LinkRequest {
  return { existingId: u64(view, BODY), name: textAt(message, BODY + 8).text };
}

/** OPEN, OPENDIR. @returns flags of open(2), without O_CREAT, O_EXCL and O_NOCTTY */
export function decodeOpen({ view }: Request): number {
  return u32(view, BODY);
}

export interface CreateRequest {
  readonly flags: number;
  readonly mode: number;
  readonly name: string;
}

export function decodeCreate({ message, view }: Request): CreateRequest {
  return { flags: u32(view, BODY), mode: u32(view, BODY + 4), name: textAt(message, BODY + 16).text };
}

export interface ReadRequest {
  readonly handle: number;
  readonly position: number;
  readonly sizeBytes: number;
}

/** READ, READDIR, READDIRPLUS. */
export function decodeRead({ view }: Request): ReadRequest {
  return {
    handle: u64(view, BODY),
    position: u64(view, BODY + 8),
    sizeBytes: u32(view, BODY + 16),
  };
}

/** Of `write_flags`: written out of the page cache. */
const WRITE_CACHE = 1;

export interface WriteRequest {
  readonly handle: number;
  readonly position: number;
  /** Whether it is a page of a mapping, which the kernel writes by any handle of the file. */
  readonly isMapped: boolean;
  /** Whether the descriptor that it is written to has O_APPEND now, which F_SETFL can change after the opening. */
  readonly isAppended: boolean;
  /** A part of the message. */
  readonly bytes: Buffer;
}

export function decodeWrite({ message, view }: Request): WriteRequest {
  const start = BODY + 40;
  const sizeBytes = u32(view, BODY + 16);
  if (start + sizeBytes > message.length) throw new RangeError('what is to be written is cut off');
  const isMapped = (u32(view, BODY + 20) & WRITE_CACHE) !== 0;
  return {
    handle: u64(view, BODY),
    position: u64(view, BODY + 8),
    isMapped,
    isAppended: !isMapped && (u32(view, BODY + 32) & constants.O_APPEND) !== 0,
    bytes: message.subarray(start, start + sizeBytes),
  };
}

/** RELEASE, RELEASEDIR, FLUSH, FSYNC, FSYNCDIR begin with it. */
export function decodeHandle({ view }: Request): number {
  return u64(view, BODY);
}

export interface SetxattrRequest {
  readonly name: string;
  readonly flags: number;
  /** A part of the message. */
  readonly value: Buffer;
}

export function decodeSetxattr({ message, view }: Request): SetxattrRequest {
  const sizeBytes = u32(view, BODY);
  const { text: name, end } = textAt(message, BODY + 8);
  if (end + sizeBytes > message.length) throw new RangeError('the value of an attribute is cut off');
  return { name, flags: u32(view, BODY + 4), value: message.subarray(end, end + sizeBytes) };
}

export interface GetxattrRequest {
  /** 0 asks how large the value is. */
  readonly sizeBytes: number;
  readonly name: string;
}

export function decodeGetxattr({ message, view }: Request): GetxattrRequest {
  return { sizeBytes: u32(view, BODY), name: textAt(message, BODY + 8).text };
}

/** LISTXATTR. @returns the room that there is; 0 asks for the size */
export function decodeListxattr({ view }: Request): number {
  return u32(view, BODY);
}

/** @returns the request that is to be given up */
export function decodeInterrupt({ view }: Request): number {
  return u64(view, BODY);
}

export interface FallocateRequest {
  readonly handle: number;
  readonly position: number;
  readonly sizeBytes: number;
  /** `FALLOC_FL_…` */
  readonly mode: number;
}

export function decodeFallocate({ view }: Request): FallocateRequest {
  return {
    handle: u64(view, BODY),
    position: u64(view, BODY + 8),
    sizeBytes: u64(view, BODY + 16),
    mode: u32(view, BODY + 24),
  };
}

export interface LseekRequest {
  readonly handle: number;
  readonly position: number;
  readonly whence: number;
}

export function decodeLseek({ view }: Request): LseekRequest {
  return {
    handle: u64(view, BODY),
    position: u64(view, BODY + 8),
    whence: u32(view, BODY + 16),
  };
}

export interface CopyRequest {
  readonly handle: number;
  readonly position: number;
  readonly targetHandle: number;
  readonly targetPosition: number;
  readonly sizeBytes: number;
}

export function decodeCopyFileRange({ view }: Request): CopyRequest {
  return {
    handle: u64(view, BODY),
    position: u64(view, BODY + 8),
    targetHandle: u64(view, BODY + 24),
    targetPosition: u64(view, BODY + 32),
    sizeBytes: u64(view, BODY + 40),
  };
}

export interface InitRequest {
  readonly major: number;
  readonly minor: number;
  readonly maxReadAheadBytes: number;
  readonly flags: number;
  /** `flags2`: 0 of a kernel that has none. */
  readonly moreFlags: number;
}

/** FUSE_INIT_EXT. */
const HAS_MORE_FLAGS = 1 << 30;

export function decodeInit({ view }: Request): InitRequest {
  const flags = u32(view, BODY + 12);
  return {
    major: u32(view, BODY),
    minor: u32(view, BODY + 4),
    maxReadAheadBytes: u32(view, BODY + 8),
    flags,
    moreFlags: (flags & HAS_MORE_FLAGS) === 0 ? 0 : u32(view, BODY + 16),
  };
}
